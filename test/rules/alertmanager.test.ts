import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { derive } from '../../src/rules/derive.ts';
import { startAlertmanager } from '../fixtures/alertmanager.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { type Notification, type Receiver, startReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/waiting.ts';
import { mustGetUp } from './pages.ts';
import { alertNames, severitiesOf } from './rule-file.ts';

const example = derive().get('alertmanager.example.yml') ?? '';
/** The example after removing "# " from the lines that mute warnings at night. */
const quiet = example.replaceAll(/# (?=- matchers|(?: {2})?mute_time_intervals)/g, '');

interface Labels {
  readonly [name: string]: string;
  readonly alertname: string;
  readonly severity: string;
  readonly job: string;
}

type Details = Readonly<Record<string, string>>;

interface Group {
  readonly labels: Details & { readonly job?: string };
  readonly receiver: { readonly name: string };
  readonly alerts: readonly { readonly labels: Labels; readonly status: { readonly state: string } }[];
}

const cleanups = new Cleanups();
let receiver: Receiver;
let address: string;

beforeAll(async () => {
  receiver = await startReceiver(cleanups);
  ({ address } = await startAlertmanager(cleanups, withReceivers(receiver.url)));
});

afterAll(cleanups.end);

describe('a live Alertmanager with the example', () => {
  it('sends one page and no mail in an outage of the provider', async () => {
    const accounts = ['shop', 'blog', 'wiki'];

    await raise([
      alert('HostingProviderUnreachable', 'critical'),
      ...accounts.map((account) => alert('HostingPollFailing', 'warning', { account, collector: 'account' })),
      alert('HostingCredentialsRejected', 'warning', { account: 'shop' }),
      // Another job, with another provider.
      alert('HostingPollFailing', 'warning', { account: 'shop', collector: 'account', job: 'other' }),
    ]);

    await expect
      .poll(() => active())
      .toEqual(['HostingPollFailing other shop account', 'HostingProviderUnreachable hosting']);
    await until('the page', () => sent('page', 'HostingProviderUnreachable').length > 0);
    await until('the mail', () => sent('mail', 'HostingPollFailing').length > 0);
    expect(sent('page', 'HostingProviderUnreachable')).toHaveLength(1);
    expect(
      sent('mail', 'HostingPollFailing').flatMap(({ alerts }) => alerts.map(({ labels }) => labels['job'])),
    ).toEqual(['other']);
  });

  it('mutes stale data of an account with rejected credentials, and not of other accounts', async () => {
    await raise([
      alert('HostingCredentialsRejected', 'warning', { account: 'shop', job: 'b' }),
      alert('HostingPollFailing', 'warning', { account: 'shop', collector: 'sites', job: 'b' }),
      alert('HostingPollFailing', 'warning', { account: 'blog', collector: 'sites', job: 'b' }),
    ]);

    await expect
      .poll(() => active('b'))
      .toEqual(['HostingCredentialsRejected b shop', 'HostingPollFailing b blog sites']);
  });

  it('mutes the warning of a critical alert with the same labels, and the forecasts of a full disk', async () => {
    await raise([
      alert('HostingDiskAlmostFull', 'critical', { account: 'shop', job: 'c' }),
      alert('HostingDiskAlmostFull', 'warning', { account: 'shop', job: 'c' }),
      alert('HostingDiskFillingUp', 'warning', { account: 'shop', job: 'c' }),
      alert('HostingDiskFillingUpFast', 'critical', { account: 'shop', job: 'c' }),
      alert('HostingDiskFillingUpFast', 'critical', { account: 'blog', job: 'c' }),
      alert('HostingDiskAlmostFull', 'warning', { account: 'blog', job: 'c' }),
      alert('HostingDiskFillingUp', 'warning', { account: 'wiki', job: 'c' }),
      alert('HostingDomainExpiring', 'critical', { account: 'shop', domain: 'a.example', job: 'c' }),
      alert('HostingDomainExpiring', 'warning', { account: 'shop', domain: 'a.example', job: 'c' }),
      alert('HostingDomainExpiring', 'warning', { account: 'shop', domain: 'b.example', job: 'c' }),
    ]);

    await expect
      .poll(() => active('c'))
      .toEqual([
        'HostingDiskAlmostFull c shop',
        'HostingDiskFillingUp c wiki',
        'HostingDiskFillingUpFast c blog',
        'HostingDomainExpiring c shop a.example',
        'HostingDomainExpiring c shop b.example',
      ]);
  });

  it('mutes an overdue renewal of an account that is suspended within days, and nothing because of a warning or an info alert', async () => {
    await raise([
      alert('HostingAccountBlockedSoon', 'critical', { account: 'shop', job: 'd' }),
      alert('HostingAccountBlockedSoon', 'warning', { account: 'blog', job: 'd' }),
      alert('HostingDomainRenewalOverdue', 'warning', { account: 'shop', domain: 'a.example', job: 'd' }),
      alert('HostingDomainRenewalOverdue', 'warning', { account: 'blog', domain: 'b.example', job: 'd' }),
      alert('HostingPermissionMissing', 'info', { account: 'shop', collector: 'sites', job: 'd' }),
      alert('HostingPollFailing', 'warning', { account: 'shop', collector: 'sites', job: 'd' }),
    ]);

    await expect
      .poll(() => active('d'))
      .toEqual([
        'HostingAccountBlockedSoon d blog',
        'HostingAccountBlockedSoon d shop',
        'HostingDomainRenewalOverdue d blog b.example',
        'HostingPermissionMissing d shop sites',
        'HostingPollFailing d shop sites',
      ]);
  });

  it('groups alerts about accounts by account, and alerts about monitoring or the provider by job', async () => {
    await raise([
      ...['a.example', 'b.example'].flatMap((domain) =>
        ['shop', 'blog'].map((account) => alert('HostingDomainExpiring', 'warning', { account, domain, job: 'e' })),
      ),
      ...['shop', 'blog', 'wiki'].flatMap((account) => [
        alert('HostingAccountMissing', 'warning', { account, job: 'e' }),
        alert('HostingPermissionMissing', 'warning', { account, collector: 'domains', job: 'e' }),
        alert('HostingBackupMissing', 'warning', { account, kind: 'files', job: 'e' }),
      ]),
    ]);

    const grouped = async () =>
      (await currentGroups())
        .filter(({ labels }) => labels.job === 'e')
        .map(({ labels, alerts }) => [...Object.values(labels).toSorted(), alerts.length].join(' '))
        .toSorted();
    await expect
      .poll(grouped)
      .toEqual([
        'HostingAccountMissing e 3',
        'HostingBackupMissing e 3',
        'HostingDomainExpiring blog e 2',
        'HostingDomainExpiring e shop 2',
        'HostingPermissionMissing e 3',
      ]);
  });
});

describe('at night', () => {
  /** Every alert with each of its severities, and the answer of docs/alerts.md to "Must someone get up?". */
  const answers = alertNames.flatMap((name) =>
    severitiesOf(name).map((severity) => ({ name, severity, answer: mustGetUp(name, severity) })),
  );

  it('the example pages for exactly those alerts for which someone must get up, according to docs/alerts.md', async () => {
    const atNight = await startReceiver(cleanups);
    const { address: night } = await startAlertmanager(
      cleanups,
      withReceivers(atNight.url, { time_intervals: [{ name: 'night', time_intervals: [{}] }] }, quiet),
    );
    const paged = () =>
      atNight.notifications
        .filter(({ receiver: name }) => name === 'page')
        .flatMap(({ alerts }) => alerts.map(({ labels }) => `${labels['alertname']} ${labels['severity']}`));

    // Each alert has its own job, so that none mutes another one.
    await post(
      answers.map(({ name, severity }) => alert(name, severity, { job: `${name}-${severity}`, account: 'shop' })),
      night,
    );
    const expected = answers
      .filter(({ answer }) => answer === 'yes')
      .map(({ name, severity }) => `${name} ${severity}`);
    await until('the pages', () => expected.every((one) => paged().includes(one)));
    // A later page shows that Alertmanager has handled all earlier groups.
    await post([alert('HostingDiskAlmostFull', 'critical', { job: 'last', account: 'last' })], night);
    await until('the last page', () => paged().length > expected.length);

    expect(new Set(paged())).toEqual(new Set(expected));
    expect(atNight.notifications.filter(({ receiver: name }) => name === 'mail')).toEqual([]);
    expect(expected).toEqual(
      expect.arrayContaining([
        'HostingExporterDown critical',
        'HostingExporterCannotPoll critical',
        'HostingAccountBlockedToday critical',
      ]),
    );
    expect(expected).not.toContain('HostingMostLoginsRejected critical');
    expect(expected).not.toContain('HostingDomainExpired critical');
  });

  it('a suspension that is due pages although HostingAccountBlockedSoon is silent, and mutes it', async () => {
    await raise([
      alert('HostingAccountBlockedToday', 'critical', { account: 'shop', job: 'g' }),
      alert('HostingAccountBlockedSoon', 'critical', { account: 'shop', job: 'g' }),
      alert('HostingAccountBlockedSoon', 'warning', { account: 'shop', job: 'g' }),
      alert('HostingAccountBlockedSoon', 'warning', { account: 'blog', job: 'g' }),
    ]);

    await expect
      .poll(() => active('g'))
      .toEqual(['HostingAccountBlockedSoon g blog', 'HostingAccountBlockedToday g shop']);
  });

  it('an exporter that reaches no account is one page, without alerts about each account', async () => {
    await raise([
      alert('HostingExporterCannotPoll', 'critical', { instance: 'a', job: 'h' }),
      ...['shop', 'blog'].flatMap((account) => [
        alert('HostingAccountUnreachable', 'warning', { account, job: 'h' }),
        alert('HostingPollFailing', 'warning', { account, collector: 'account', job: 'h' }),
      ]),
    ]);

    await expect.poll(() => active('h')).toEqual(['HostingExporterCannotPoll h a']);
  });
});

/** The example with this test as every receiver, and with short delays. */
function withReceivers(url: string, changes: Readonly<Record<string, unknown>> = {}, text = example): string {
  const config = parse(text) as {
    route: Record<string, unknown>;
    receivers: { name: string }[];
  };
  return stringify({
    ...config,
    ...changes,
    route: { ...config.route, group_wait: '1s', group_interval: '1s' },
    receivers: config.receivers.map(({ name }) => ({
      name,
      webhook_configs: [{ url, send_resolved: true }],
    })),
  });
}

function alert(alertname: string, severity: string, labels: Details = {}): { readonly labels: Labels } {
  return { labels: { alertname, severity, job: 'hosting', ...labels } };
}

async function post(alerts: readonly unknown[], server = address): Promise<void> {
  const response = await fetch(`http://${server}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alerts),
  });
  expect(response.status).toBe(200);
}

/** Sends the alerts to Alertmanager and waits until it has processed all of them. */
async function raise(alerts: readonly { readonly labels: Labels }[]): Promise<void> {
  await post(alerts);
  await until('every alert is processed', async () => {
    const processed = (await currentGroups()).flatMap((group) =>
      group.alerts.filter(({ status }) => status.state !== 'unprocessed'),
    );
    return alerts.every(({ labels }) => processed.some((one) => labelText(one.labels) === labelText(labels)));
  });
}

async function currentGroups(): Promise<readonly Group[]> {
  return (await (await fetch(`http://${address}/api/v2/alerts/groups`)).json()) as readonly Group[];
}

function labelText(labels: Details): string {
  return JSON.stringify(Object.entries(labels).toSorted());
}

/** Name, job and other labels of the alerts that are not muted. */
async function active(...jobs: readonly string[]): Promise<readonly string[]> {
  return (await currentGroups())
    .flatMap(({ alerts }) => alerts.filter(({ status }) => status.state === 'active').map(({ labels }) => labels))
    .filter(({ job }) => jobs.length === 0 || jobs.includes(job))
    .map(({ alertname, severity: _, job, ...details }) => [alertname, job, ...Object.values(details)].join(' '))
    .toSorted();
}

function sent(name: string, alertname: string): readonly Notification[] {
  return receiver.notifications.filter(
    (one) => one.receiver === name && one.alerts.some(({ labels }) => labelText(labels).includes(`"${alertname}"`)),
  );
}
