import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { isOf, type Notification, speaksOf } from '../../fixtures/receiver.ts';
import { eventually, grafana, Stack } from './stack.ts';

/** Generous: only a test that fails ever takes so long. */
const timeout = 600_000;

const runbooks = 'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks';

const cleanups = new Cleanups();
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start(cleanups);
}, timeout);

afterAll(cleanups.end);

/** Waits until exactly these lines were told, oldest first, about what is asked for. */
async function untilTold(expected: readonly string[], about: (notification: Notification) => boolean): Promise<void> {
  await eventually(`the notification: ${expected.at(-1)}`, () => {
    expect(stack.receiver.lines(about)).toEqual(expected);
    return true;
  });
}

function onlyAlert({ alerts }: Notification) {
  expect(alerts).toHaveLength(1);
  const [alert] = alerts;
  if (alert === undefined) throw new Error('a notification without an alert');
  return alert;
}

/** The newest notification, of those asked for. */
function newest(about: (notification: Notification) => boolean): Notification {
  const found = stack.receiver.notifications.findLast(about);
  if (found === undefined) throw new Error('nothing was told');
  return found;
}

/** What is told from now on. */
function fromNow(): (notification: Notification) => boolean {
  const former = new Set(stack.receiver.notifications);
  return (notification) => !former.has(notification);
}

describe('the Alertmanager example of the chain', () => {
  it('is the one that is shipped, but for its times', () => {
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

describe.concurrent('one account', { timeout }, () => {
  it('whose disk fills up is mailed about, then paged about once, and both are told that it is over', async () => {
    const shop = stack.sandbox.account('shop');
    const lines = ['mail firing HostingDiskAlmostFull shop', 'page firing HostingDiskAlmostFull shop'];

    shop.setDiskUsage(18_000_000_000);
    await untilTold(lines.slice(0, 1), speaksOf('shop'));
    shop.setDiskUsage(19_400_000_000);
    await untilTold(lines, speaksOf('shop'));

    const page = newest(speaksOf('shop'));
    expect(page.groupLabels).toEqual({ alertname: 'HostingDiskAlmostFull', job: 'hosting', account: 'shop' });
    expect(onlyAlert(page)).toMatchObject({
      labels: { alertname: 'HostingDiskAlmostFull', job: 'hosting', account: 'shop', severity: 'critical' },
      annotations: {
        summary: 'Hosting account is almost out of disk space.',
        description: expect.stringMatching(
          /^Account shop uses 97% of its disk quota; 600MB are free\. The figure is [\d.]+m?s old\. At the quota mail bounces and uploads and database writes fail\.$/,
        ),
        runbook_url: `${runbooks}/HostingDiskAlmostFull.md`,
        dashboard_url: `${grafana}/d/hosting-account?var-account=shop`,
      },
    });
    await eventually('the warning is muted', async () => {
      const held = await stack.held('HostingDiskAlmostFull');
      expect(held.filter((line) => line.startsWith('shop'))).toEqual(['shop critical page', 'shop warning muted']);
      return true;
    });

    shop.setDiskUsage(8_000_000_000);

    const over = ['mail resolved HostingDiskAlmostFull shop', 'page resolved HostingDiskAlmostFull shop'];
    await eventually('it is told that it is over', () => {
      expect(stack.receiver.lines(speaksOf('shop')).toSorted()).toEqual([...lines, ...over].toSorted());
      return true;
    });
  });

  it('whose credentials are rejected is mailed about once, whatever gets stale, and once when they are right', async () => {
    const blog = stack.sandbox.account('blog');
    const { password } = blog;
    const lines = ['mail firing HostingCredentialsRejected blog', 'mail resolved HostingCredentialsRejected blog'];
    const stale = 'ALERTS{alertname="HostingPollFailing",alertstate="firing",account="blog"}';

    blog.changePassword('changed in the panel');
    await untilTold(lines.slice(0, 1), speaksOf('blog'));

    const mail = newest(speaksOf('blog'));
    expect(mail.groupLabels).toEqual({ alertname: 'HostingCredentialsRejected', job: 'hosting' });
    expect(onlyAlert(mail)).toMatchObject({
      labels: { severity: 'warning', account: 'blog' },
      annotations: {
        summary: 'Hosting provider rejects the credentials of an account.',
        description:
          'The provider rejects the API login or password of account blog; its figures are no longer updated. ' +
          'Trying again does not help: somebody must correct them.',
        runbook_url: `${runbooks}/HostingCredentialsRejected.md`,
        dashboard_url: `${grafana}/d/hosting-exporter?var-account=blog`,
      },
    });
    await eventually('two collectors are stale', async () => (await stack.prometheus.query(stale)).length === 2);
    await eventually('the stale figures are muted', async () => {
      const held = await stack.held('HostingPollFailing');
      expect(held).toEqual(['blog warning muted']);
      return true;
    });

    blog.changePassword(password);

    await untilTold(lines, speaksOf('blog'));
    await eventually('nothing is stale', async () => (await stack.prometheus.query(stale)).length === 0);
    expect(stack.receiver.lines(speaksOf('blog'))).toEqual(lines);
  });

  it('that may not call a method is shown to whoever looks, and nobody is told', async () => {
    await eventually('the alert is held', async () => {
      expect(await stack.held('HostingPermissionMissing')).toEqual(['agency info nobody']);
      return true;
    });

    expect(stack.receiver.lines(isOf('HostingPermissionMissing'))).toEqual([]);
  });

  it('with thresholds of its own is judged by them', async () => {
    stack.sandbox.account('press').setDiskUsage(14_000_000_000);

    await untilTold(['mail firing HostingDiskAlmostFull press'], speaksOf('press'));
    const firing = await stack.firing('HostingDiskAlmostFull');
    expect(firing).toContain('press');
    expect(firing).not.toContain('archive');
    expect(firing).not.toContain('library');
    stack.sandbox.account('press').setDiskUsage(10_000_000_000);
    await untilTold(
      ['mail firing HostingDiskAlmostFull press', 'mail resolved HostingDiskAlmostFull press'],
      speaksOf('press'),
    );
    expect(stack.receiver.lines(speaksOf('archive'))).toEqual([]);
    expect(stack.receiver.lines(speaksOf('library'))).toEqual([]);
  });

  it('with a domain that has expired and one that will is paged about for each', async () => {
    await untilTold(
      ['page firing HostingDomainExpired agency', 'page firing HostingDomainExpiring agency'],
      speaksOf('agency'),
    );
  });
});

describe('all accounts', { timeout }, () => {
  it('are paged about once when the exporter is killed; back again, it raises no alarm of its own', async () => {
    const sinceThen = fromNow();
    const { address } = stack.exporter;
    const lines = [`page firing HostingExporterDown ${address}`, `page resolved HostingExporterDown ${address}`];

    await stack.exporter.program.stop('SIGKILL');
    await untilTold(lines.slice(0, 1), sinceThen);
    await stack.startExporterAgain();
    await untilTold(lines, sinceThen);

    expect(onlyAlert(newest(sinceThen))).toMatchObject({
      labels: { severity: 'critical', instance: address },
      annotations: {
        summary: 'Hosting exporter does not answer Prometheus.',
        description: `Prometheus cannot scrape the exporter ${address} of job hosting. Its accounts are watched by nobody.`,
        runbook_url: `${runbooks}/HostingExporterDown.md`,
        dashboard_url: `${grafana}/d/hosting-exporter`,
      },
    });
    // Longer than any alert waits that a restart could tempt.
    await stack.untilExporterRanFor(36);
    expect(stack.receiver.lines(sinceThen)).toEqual(lines);
    expect(await stack.firing('HostingAccountMissing')).toEqual([]);
    expect(await stack.firing('HostingPollFailing')).toEqual([]);
  });

  it('were told of no more than once so far', () => {
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

  it('are paged about once when the provider goes away, over a restart of the exporter, and once when it is back', async () => {
    const lines = ['page firing HostingProviderUnreachable all', 'page resolved HostingProviderUnreachable all'];
    // A restart forgets figures that no poll brings again: their alerts end, and begin again after the outage.
    const sinceThen = fromNow();
    const about = (one: Notification) => sinceThen(one) && !/^HostingDomain/.test(one.groupLabels['alertname'] ?? '');
    // An outage within an hour after a rejection looks like another rejection.
    const rejections = 'sum(account:hosting_exporter_api_auth_failures:increase) or vector(0)';
    await eventually('the rejections are an hour old', async () => (await stack.prometheus.value(rejections)) === 0);

    await stack.closeProvider();
    await untilTold(lines.slice(0, 1), about);

    const page = newest(about);
    expect(page.groupLabels).toEqual({ alertname: 'HostingProviderUnreachable', job: 'hosting' });
    expect(onlyAlert(page)).toMatchObject({
      labels: { severity: 'critical' },
      annotations: {
        summary: 'Most hosting accounts get no answer from the provider.',
        description: expect.stringMatching(
          /^No answer for 100% of the accounts of job hosting; reasons in the last hour: network.*\. The provider's API is down, or this network's way to it\. Figures of these accounts are dropped as they get old\.$/,
        ),
        runbook_url: `${runbooks}/HostingProviderUnreachable.md`,
        dashboard_url: `${grafana}/d/hosting-exporter`,
      },
    });
    await eventually('every account is stale', async () => {
      expect(await stack.firing('HostingPollFailing')).toEqual(stack.accounts);
      return true;
    });
    await eventually('every one of them is muted', async () => {
      const held = await stack.held('HostingPollFailing');
      expect(held).toEqual(stack.accounts.map((account) => `${account} warning muted`));
      return true;
    });

    await stack.exporter.program.stop();
    await stack.startExporterAgain();
    await stack.untilExporterRanFor(16);
    expect(stack.receiver.lines(about)).toEqual(lines.slice(0, 1));
    await stack.reopenProvider();
    await stack.untilAllAnswer();

    await untilTold(lines, about);
    await eventually('nothing is stale', async () => (await stack.firing('HostingPollFailing')).length === 0);
    expect(stack.receiver.lines(about)).toEqual(lines);
  });
});
