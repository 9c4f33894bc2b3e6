import { expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { Figures } from '../../src/store/figures.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { config, sandboxAccountConfig } from '../fixtures/config.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { parsePage, samplesOf } from '../oracle/exposition.ts';

const hour = 3_600_000;

/** Series in the order of their labels. */
function sorted(samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]) {
  return samples.map(({ labels, value }) => `${JSON.stringify(Object.entries(labels).sort())} ${value}`).sort();
}

it('the pages have the figures of /metrics, also with max_series', async () => {
  const sandbox = await openSandbox({ dialect: 'provider' });
  const limits = Object.fromEntries(collectors.map(({ name }) => [name, { maxSeries: 9 }]));
  const account = sandboxAccountConfig(sandbox, 'agency', { api: { settlingTime: 5 * hour }, collectors: limits });
  const subject = await startApp(config(account));
  const { app } = subject;
  await pollAll(subject);

  const page = await app.web.inject('/metrics?account=agency');

  const figures = new Figures(app.accounts.flatMap(({ store }) => store.families()));
  const families = parsePage(page.payload, 'text');
  const names = collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name));
  for (const name of names) expect(sorted(figures.samples(name)), name).toEqual(sorted(samplesOf(families, name)));
  expect(names.filter((name) => figures.samples(name).length > 0).length).toBeGreaterThan(30);
});
