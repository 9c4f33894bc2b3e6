import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { hasAccount, onlyAlert } from '../../fixtures/receiver.ts';
import { until } from '../../fixtures/waiting.ts';
import { grafana, quietAccounts, runbooks, Stack } from './stack.ts';

const cleanups = new Cleanups();
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start(cleanups, quietAccounts);
});

afterAll(cleanups.end);

describe.concurrent('an account', () => {
  it('with a disk that fills up causes a mail, then one page, and a resolved notification of both', async () => {
    const shop = stack.sandbox.account('shop');
    const lines = ['mail firing HostingDiskAlmostFull shop', 'page firing HostingDiskAlmostFull shop'];

    shop.setDiskUsage(18_000_000_000);
    await stack.untilNotified(lines.slice(0, 1), hasAccount('shop'));
    shop.setDiskUsage(19_700_000_000);
    await stack.untilNotified(lines, hasAccount('shop'));

    const page = stack.newest(hasAccount('shop'));
    expect(page.groupLabels).toEqual({ alertname: 'HostingDiskAlmostFull', job: 'hosting', account: 'shop' });
    expect(onlyAlert(page)).toMatchObject({
      labels: { alertname: 'HostingDiskAlmostFull', job: 'hosting', account: 'shop', severity: 'critical' },
      annotations: {
        summary: 'Hosting account is almost out of disk space.',
        description: 'Account shop uses 98.5% of its disk quota; 0.3 GB free.',
        runbook_url: `${runbooks}/HostingDiskAlmostFull.md`,
        dashboard_url: `${grafana}/d/hosting-account?var-account=shop`,
      },
    });
    await until('the warning is muted', async () => {
      const routing = await stack.routing('HostingDiskAlmostFull');
      expect(routing.filter((line) => line.startsWith('shop'))).toEqual(['shop critical page', 'shop warning muted']);
      return true;
    });

    shop.setDiskUsage(8_000_000_000);

    const resolved = ['mail resolved HostingDiskAlmostFull shop', 'page resolved HostingDiskAlmostFull shop'];
    await until('resolved notifications arrive', () => {
      expect(stack.receiver.lines(hasAccount('shop')).toSorted()).toEqual([...lines, ...resolved].toSorted());
      return true;
    });
  });

  it('with rejected credentials causes one mail, none about stale data, and one resolved mail after the correction', async () => {
    const { password } = stack.sandbox.account('blog');
    const lines = ['mail firing HostingCredentialsRejected blog', 'mail resolved HostingCredentialsRejected blog'];

    stack.writePassword('blog', 'mistyped');
    await stack.untilNotified(lines.slice(0, 1), hasAccount('blog'));

    const mail = stack.newest(hasAccount('blog'));
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
    await stack.untilStale('blog');

    stack.writePassword('blog', password);

    await stack.untilNotified(lines, hasAccount('blog'));
    await stack.untilFresh('blog');
    expect(await stack.firing('HostingPollFailing')).toEqual([]);
    expect(stack.receiver.lines(hasAccount('blog'))).toEqual(lines);
  });
});

describe('all accounts', () => {
  it('cause one page when the exporter is killed, and no further alert after its restart', async () => {
    const isNew = stack.sinceNow();
    const { address } = stack.exporter;
    const lines = [`page firing HostingExporterDown ${address}`, `page resolved HostingExporterDown ${address}`];

    await stack.exporter.program.stop('SIGKILL');
    await stack.untilNotified(lines.slice(0, 1), isNew);
    await stack.startExporterAgain();
    await stack.untilNotified(lines, isNew);

    expect(onlyAlert(stack.newest(isNew))).toMatchObject({
      labels: { severity: 'critical', instance: address },
      annotations: {
        summary: 'Hosting exporter is down.',
        description: `Prometheus cannot scrape exporter ${address} of job hosting. At least one account is not monitored. Alerts that are already firing use their last known figures for a day.`,
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

  it('cause exactly the expected notifications', () => {
    expect(stack.receiver.lines().toSorted()).toEqual(
      [
        'mail firing HostingCredentialsRejected blog',
        'mail firing HostingDiskAlmostFull shop',
        'mail resolved HostingCredentialsRejected blog',
        'mail resolved HostingDiskAlmostFull shop',
        'page firing HostingDiskAlmostFull shop',
        `page firing HostingExporterDown ${stack.exporter.address}`,
        'page resolved HostingDiskAlmostFull shop',
        `page resolved HostingExporterDown ${stack.exporter.address}`,
      ].toSorted(),
    );
  });
});
