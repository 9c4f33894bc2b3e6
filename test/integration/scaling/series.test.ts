import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import { collectors } from '../../../src/collectors/list.ts';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import { pollAll, startApp } from '../../fixtures/app.ts';
import { config, sandboxAccountConfig } from '../../fixtures/config.ts';
import { statusOf } from '../../fixtures/polled-account.ts';
import { until } from '../../fixtures/waiting.ts';
import { type ParsedSample, parsePage } from '../../oracle/exposition.ts';

const defaultCollectors = collectors.filter(({ offByDefault }) => offByDefault !== true).map(({ name }) => name);

/** Number of series about the exporter itself for an account with all default collectors: three per collector and 16 others. */
const aboutExporter = 16 + 3 * defaultCollectors.length;

/** The accounts of a sandbox, with the collectors that are on by default. */
function accountsOf(sandbox: Sandbox): readonly AccountConfig[] {
  return sandbox.accounts.map(({ login }) => sandboxAccountConfig(sandbox, login, { collectors: defaultCollectors }));
}

/** All samples of the page after every account was polled once. */
async function polledSamples(accounts: readonly AccountConfig[]): Promise<readonly ParsedSample[]> {
  const exporter = await startApp(config(...accounts));
  await pollAll(exporter);
  await until(() => exporter.app.accounts.every((account) => statusOf(account).every(({ polling }) => !polling)));
  const page = await (await fetch(`${exporter.origin}/metrics`)).text();
  return parsePage(page, 'text').flatMap(({ samples }) => samples);
}

/** Whether a series describes the exporter and not the account. */
function isAboutExporter({ name }: ParsedSample): boolean {
  return /^hosting_(?:up|exporter_.+|account_alert_threshold)$/.test(name);
}

describe('the number of series', () => {
  it('about the exporter is three for each default collector and 16 for the account, also while collectors fail', async () => {
    const sandbox = await startSandbox({ dialect: 'provider', requestsPerMinute: 0 });
    const [shop] = accountsOf(sandbox).filter(({ name }) => name === 'shop');
    if (shop === undefined) throw new Error('the sandbox has no account shop');
    const ofAccount = (samples: readonly ParsedSample[]) =>
      samples.filter((sample) => sample.labels['account'] === 'shop' && isAboutExporter(sample));

    const healthy = ofAccount(await polledSamples([shop]));
    sandbox.setFault({ kind: 'http_500', login: 'shop' });
    const failing = ofAccount(await polledSamples([shop]));
    await sandbox.close();

    expect(healthy).toHaveLength(aboutExporter);
    expect(failing.filter(({ name }) => name === 'hosting_exporter_collector_failing')).toHaveLength(
      defaultCollectors.length,
    );
    // A collector that has never succeeded has no time of its last success.
    expect(failing).toHaveLength(aboutExporter);
  });
});
