import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyOfBlog, grafana, quietAccounts, runbooks, Stack } from '../e2e/chain/stack.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { type Notification, onlyAlert } from '../fixtures/receiver.ts';
import { until } from '../fixtures/waiting.ts';

const cleanups = new Cleanups();
let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start(cleanups, [...quietAccounts, copyOfBlog('museum', 0.9)]);
});

afterAll(cleanups.end);

describe('an outage of the provider', () => {
  it('causes one page despite a restart of the exporter, and does not end or repeat other alerts', async () => {
    const lines = [
      'mail firing HostingDiskAlmostFull museum',
      'page firing HostingProviderUnreachable all',
      'page resolved HostingProviderUnreachable all',
    ];
    // On a busy machine, the restart takes so long that HostingExporterDown fires.
    const filter = ({ groupLabels }: Notification) => groupLabels['alertname'] !== 'HostingExporterDown';
    await stack.untilNotified(lines.slice(0, 1));
    await stack.closeProvider();
    await stack.untilNotified(lines.slice(0, 2));

    const page = stack.newest();
    expect(page.groupLabels).toEqual({ alertname: 'HostingProviderUnreachable', job: 'hosting' });
    expect(onlyAlert(page)).toMatchObject({
      labels: { severity: 'critical' },
      annotations: {
        summary: 'Hosting provider is not responding to API calls for most accounts.',
        description: expect.stringMatching(
          /^The API is not responding to calls for 100% of the accounts of job hosting; reason: network.*\.$/,
        ),
        runbook_url: `${runbooks}/HostingProviderUnreachable.md`,
        dashboard_url: `${grafana}/d/hosting-exporter`,
      },
    });
    for (const account of stack.accounts) await stack.untilStale(account);
    expect(await stack.firing('HostingPollFailing')).toEqual([]);

    await stack.exporter.program.stop();
    await stack.startExporterAgain();
    await stack.untilExporterRanFor(16);
    await until('the exporter has restored series', async () => {
      return ((await stack.prometheus.value('hosting_exporter_state_restored_series')) ?? 0) > 0;
    });
    expect(stack.receiver.lines(filter)).toEqual(lines.slice(0, 2));
    expect(await stack.firing('HostingDiskAlmostFull')).toEqual(['museum']);
    await stack.reopenProvider();
    await stack.untilAllAnswer();

    await stack.untilNotified(lines, filter);
    for (const account of stack.accounts) await stack.untilFresh(account);
    expect(await stack.firing('HostingPollFailing')).toEqual([]);
    expect(stack.receiver.lines(filter)).toEqual(lines);
    // The time at which the alert began did not change.
    const begun = 'ALERTS_FOR_STATE{alertname="HostingDiskAlmostFull",account="museum",severity="warning"}';
    expect(await stack.prometheus.value(`changes(${begun}[1h])`)).toBe(0);
  });
});
