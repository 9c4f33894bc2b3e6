import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { hasAccount, hasAlert, type Notification } from '../../fixtures/receiver.ts';
import { eventually, grafana, Stack } from './stack.ts';

/** Milliseconds; only a failing test takes this long. */
const timeout = 600_000;

const runbooks = 'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks';

const cleanups = new Cleanups();
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start(cleanups);
}, timeout);

afterAll(cleanups.end);

/** Waits until exactly these notifications, oldest first, match the filter. */
async function untilNotified(
  expected: readonly string[],
  filter: (notification: Notification) => boolean,
): Promise<void> {
  await eventually(`the notification: ${expected.at(-1)}`, () => {
    expect(stack.receiver.lines(filter)).toEqual(expected);
    return true;
  });
}

function onlyAlert({ alerts }: Notification) {
  expect(alerts).toHaveLength(1);
  const [alert] = alerts;
  if (alert === undefined) throw new Error('the notification contains no alert');
  return alert;
}

/** The newest notification that matches the filter. */
function newest(filter: (notification: Notification) => boolean): Notification {
  const found = stack.receiver.notifications.findLast(filter);
  if (found === undefined) throw new Error('no notification matches');
  return found;
}

/** A filter for notifications that arrive after this call. */
function sinceNow(): (notification: Notification) => boolean {
  const earlier = new Set(stack.receiver.notifications);
  return (notification) => !earlier.has(notification);
}

describe('the Alertmanager example in this test', () => {
  it('equals the shipped example except for its times', () => {
    const times = /(group_wait|group_interval|repeat_interval): \w+/g;
    const shipped = readFileSync(resolve(import.meta.dirname, '../../../alerts/alertmanager.example.yml'), 'utf8');
    const used = readFileSync(join(stack.bundle, 'alertmanager.example.yml'), 'utf8');

    expect(used.replace(times, '$1')).toBe(shipped.replace(times, '$1'));
    expect(used.match(times)).toEqual([
      'group_wait: 1s',
      'group_interval: 5s',
      'repeat_interval: 24m',
      'repeat_interval: 4m',
      'repeat_interval: 4m',
    ]);
  });
});

describe.concurrent('an account', { timeout }, () => {
  it('with a disk that fills up causes a mail, then one page, and a resolved notification of both', async () => {
    const shop = stack.sandbox.account('shop');
    const lines = ['mail firing HostingDiskAlmostFull shop', 'page firing HostingDiskAlmostFull shop'];

    shop.setDiskUsage(18_000_000_000);
    await untilNotified(lines.slice(0, 1), hasAccount('shop'));
    shop.setDiskUsage(19_400_000_000);
    await untilNotified(lines, hasAccount('shop'));

    const page = newest(hasAccount('shop'));
    expect(page.groupLabels).toEqual({ alertname: 'HostingDiskAlmostFull', job: 'hosting', account: 'shop' });
    expect(onlyAlert(page)).toMatchObject({
      labels: { alertname: 'HostingDiskAlmostFull', job: 'hosting', account: 'shop', severity: 'critical' },
      annotations: {
        summary: 'Hosting account is almost out of disk space.',
        description: expect.stringMatching(
          /^Account shop uses 97% of its disk quota; 600MB are free\. Last successful poll: [\d.]+m?s ago\. At the quota, mail bounces, and uploads and database writes fail\.$/,
        ),
        runbook_url: `${runbooks}/HostingDiskAlmostFull.md`,
        dashboard_url: `${grafana}/d/hosting-account?var-account=shop`,
      },
    });
    await eventually('the warning is muted', async () => {
      const routing = await stack.routing('HostingDiskAlmostFull');
      expect(routing.filter((line) => line.startsWith('shop'))).toEqual(['shop critical page', 'shop warning muted']);
      return true;
    });

    shop.setDiskUsage(8_000_000_000);

    const resolved = ['mail resolved HostingDiskAlmostFull shop', 'page resolved HostingDiskAlmostFull shop'];
    await eventually('resolved notifications arrive', () => {
      expect(stack.receiver.lines(hasAccount('shop')).toSorted()).toEqual([...lines, ...resolved].toSorted());
      return true;
    });
  });

  it('with rejected credentials causes one mail despite stale data, and one resolved mail after the correction', async () => {
    const { password } = stack.sandbox.account('blog');
    const lines = ['mail firing HostingCredentialsRejected blog', 'mail resolved HostingCredentialsRejected blog'];
    const stale = 'ALERTS{alertname="HostingPollFailing",alertstate="firing",account="blog"}';

    stack.writePassword('blog', 'mistyped');
    await untilNotified(lines.slice(0, 1), hasAccount('blog'));

    const mail = newest(hasAccount('blog'));
    expect(mail.groupLabels).toEqual({ alertname: 'HostingCredentialsRejected', job: 'hosting' });
    expect(onlyAlert(mail)).toMatchObject({
      labels: { severity: 'warning', account: 'blog' },
      annotations: {
        summary: 'Hosting provider rejects the credentials of an account.',
        description:
          'The API rejects the login or password of account blog. Its data is no longer updated. ' +
          'Retrying does not help: correct the credentials.',
        runbook_url: `${runbooks}/HostingCredentialsRejected.md`,
        dashboard_url: `${grafana}/d/hosting-exporter?var-account=blog`,
      },
    });
    await eventually('two collectors are stale', async () => (await stack.prometheus.query(stale)).length === 2);
    await eventually('the alert about stale data is muted', async () => {
      const routing = await stack.routing('HostingPollFailing');
      expect(routing).toEqual(['blog warning muted']);
      return true;
    });

    stack.writePassword('blog', password);

    await untilNotified(lines, hasAccount('blog'));
    await eventually('nothing is stale', async () => (await stack.prometheus.query(stale)).length === 0);
    expect(stack.receiver.lines(hasAccount('blog'))).toEqual(lines);
  });

  it('with a missing permission has an alert, but no notification', async () => {
    await eventually('the alert fires', async () => {
      expect(await stack.routing('HostingPermissionMissing')).toEqual(['agency info blackhole']);
      return true;
    });

    expect(stack.receiver.lines(hasAlert('HostingPermissionMissing'))).toEqual([]);
  });

  it('with overridden thresholds fires by them', async () => {
    stack.sandbox.account('press').setDiskUsage(14_000_000_000);

    await untilNotified(['mail firing HostingDiskAlmostFull press'], hasAccount('press'));
    const firing = await stack.firing('HostingDiskAlmostFull');
    expect(firing).toContain('press');
    expect(firing).not.toContain('archive');
    expect(firing).not.toContain('library');
    stack.sandbox.account('press').setDiskUsage(10_000_000_000);
    await untilNotified(
      ['mail firing HostingDiskAlmostFull press', 'mail resolved HostingDiskAlmostFull press'],
      hasAccount('press'),
    );
    expect(stack.receiver.lines(hasAccount('archive'))).toEqual([]);
    expect(stack.receiver.lines(hasAccount('library'))).toEqual([]);
  });

  it('with an expired and an expiring domain causes a page for each', async () => {
    await untilNotified(
      ['page firing HostingDomainExpired agency', 'page firing HostingDomainExpiring agency'],
      hasAccount('agency'),
    );
  });
});

describe('all accounts', { timeout }, () => {
  it('cause one page when the exporter is killed, and no further alert after its restart', async () => {
    const isNew = sinceNow();
    const { address } = stack.exporter;
    const lines = [`page firing HostingExporterDown ${address}`, `page resolved HostingExporterDown ${address}`];

    await stack.exporter.program.stop('SIGKILL');
    await untilNotified(lines.slice(0, 1), isNew);
    await stack.startExporterAgain();
    await untilNotified(lines, isNew);

    expect(onlyAlert(newest(isNew))).toMatchObject({
      labels: { severity: 'critical', instance: address },
      annotations: {
        summary: 'Hosting exporter is down.',
        description: `Prometheus cannot scrape exporter ${address} of job hosting. At least one of its accounts is not monitored.`,
        runbook_url: `${runbooks}/HostingExporterDown.md`,
        dashboard_url: `${grafana}/d/hosting-exporter`,
      },
    });
    // Longer than the `for` of any alert that a restart could fire.
    await stack.untilExporterRanFor(36);
    expect(stack.receiver.lines(isNew)).toEqual(lines);
    expect(await stack.firing('HostingAccountMissing')).toEqual([]);
    expect(await stack.firing('HostingPollFailing')).toEqual([]);
  });

  it('cause exactly the expected notifications before the outage', () => {
    expect(stack.receiver.lines().toSorted()).toEqual(
      [
        'mail firing HostingCredentialsRejected blog',
        'mail firing HostingDiskAlmostFull press',
        'mail firing HostingDiskAlmostFull shop',
        'mail resolved HostingCredentialsRejected blog',
        'mail resolved HostingDiskAlmostFull press',
        'mail resolved HostingDiskAlmostFull shop',
        'page firing HostingDiskAlmostFull shop',
        'page firing HostingDomainExpired agency',
        'page firing HostingDomainExpiring agency',
        `page firing HostingExporterDown ${stack.exporter.address}`,
        'page resolved HostingDiskAlmostFull shop',
        `page resolved HostingExporterDown ${stack.exporter.address}`,
      ].toSorted(),
    );
  });

  it('cause one page during an outage of the provider, despite a restart of the exporter, and one resolved notification after it', async () => {
    const lines = ['page firing HostingProviderUnreachable all', 'page resolved HostingProviderUnreachable all'];
    // The restarted exporter has no domain data during the outage, so these alerts resolve and fire again afterwards.
    const isNew = sinceNow();
    const filter = (one: Notification) => isNew(one) && !/^HostingDomain/.test(one.groupLabels['alertname'] ?? '');
    // During an hour after a rejection, an outage counts as rejected credentials.
    const rejections = 'sum(account:hosting_exporter_api_auth_failures:increase) or vector(0)';
    await eventually(
      'the rejections are older than an hour',
      async () => (await stack.prometheus.value(rejections)) === 0,
    );

    await stack.closeProvider();
    await untilNotified(lines.slice(0, 1), filter);

    const page = newest(filter);
    expect(page.groupLabels).toEqual({ alertname: 'HostingProviderUnreachable', job: 'hosting' });
    expect(onlyAlert(page)).toMatchObject({
      labels: { severity: 'critical' },
      annotations: {
        summary: 'Hosting provider does not answer for most accounts.',
        description: expect.stringMatching(
          /^The API does not answer for 100% of the accounts of job hosting; failure reasons in the last hour: network.*\. It is down, or the exporter cannot reach it\. The data of these accounts becomes stale and then expires\.$/,
        ),
        runbook_url: `${runbooks}/HostingProviderUnreachable.md`,
        dashboard_url: `${grafana}/d/hosting-exporter`,
      },
    });
    await eventually('every account is stale', async () => {
      expect(await stack.firing('HostingPollFailing')).toEqual(stack.accounts);
      return true;
    });
    await eventually('all of these alerts are muted', async () => {
      const routing = await stack.routing('HostingPollFailing');
      expect(routing).toEqual(stack.accounts.map((account) => `${account} warning muted`));
      return true;
    });

    await stack.exporter.program.stop();
    await stack.startExporterAgain();
    await stack.untilExporterRanFor(16);
    expect(stack.receiver.lines(filter)).toEqual(lines.slice(0, 1));
    await stack.reopenProvider();
    await stack.untilAllAnswer();

    await untilNotified(lines, filter);
    await eventually('nothing is stale', async () => (await stack.firing('HostingPollFailing')).length === 0);
    expect(stack.receiver.lines(filter)).toEqual(lines);
  });
});
