import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Belongings } from '../../fixtures/belongings.ts';

/** One alert of a notification, as Alertmanager sends it. */
export interface ToldAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What somebody got: a page, or a mail. */
export interface Notification {
  /** The receiver's name in the configuration of Alertmanager. */
  readonly receiver: string;
  readonly status: 'firing' | 'resolved';
  readonly groupLabels: Readonly<Record<string, string>>;
  readonly alerts: readonly ToldAlert[];
}

/** Stands for the pager and the mailbox, and keeps all that they get. */
export interface Receiver {
  readonly url: string;
  /** Oldest first. */
  readonly notifications: readonly Notification[];
  /** One line a notification, oldest first: `page firing HostingDiskAlmostFull shop`. */
  lines(about?: (notification: Notification) => boolean): readonly string[];
}

/** Listens on any free port of this machine; the path does not matter, since a notification names its receiver. */
export async function startReceiver(belongings: Belongings): Promise<Receiver> {
  const notifications: Notification[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        notifications.push(JSON.parse(body) as Notification);
        response.end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  belongings.add(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    notifications,
    lines: (about = () => true) => notifications.filter(about).map(line),
  };
}

function line({ receiver, status, groupLabels, alerts }: Notification): string {
  const subjects = alerts.map(({ labels }) => labels['account'] ?? labels['instance'] ?? 'all').sort();
  return `${receiver} ${status} ${groupLabels['alertname']} ${[...new Set(subjects)].join(' ')}`;
}

/** Whether a notification speaks of an account. */
export function speaksOf(account: string): (notification: Notification) => boolean {
  return ({ alerts }) => alerts.some(({ labels }) => labels['account'] === account);
}

/** Whether a notification is of an alert. */
export function isOf(alert: string): (notification: Notification) => boolean {
  return ({ groupLabels }) => groupLabels['alertname'] === alert;
}
