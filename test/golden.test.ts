import { expect, it } from 'vitest';
import { pollAll, startApp } from './fixtures/app.ts';
import { config, sandboxAccountConfig } from './fixtures/config.ts';
import { fakeDate } from './fixtures/polled-account.ts';
import { openSandbox } from './fixtures/sandbox.ts';
import { parsePage } from './oracle/exposition.ts';

const now = '2026-06-03T12:34:00Z';

/** Samples whose value differs from run to run. */
const volatile = /^(hosting_exporter_(?:poll|api_request)_duration_seconds\w*)(\{.*\})? .*$/;

/** Samples that contain the time of a poll. */
const timeOfPoll = /^(hosting_exporter_\w+_success_timestamp_seconds(?:\{.*\})?) (.*)$/;

/**
 * The page without its differences from run to run: samples are sorted, because their order depends on when results
 * arrive; durations are replaced; times are rounded to minutes; metrics of the process are left out.
 */
function normalized(page: string): string {
  const lines: string[] = [];
  let family: string[] = [];
  for (const line of [...page.trimEnd().split('\n'), '# EOF']) {
    if (line.startsWith('#')) {
      lines.push(...family.sort());
      family = [];
      lines.push(line);
    } else {
      family.push(line);
    }
  }
  return `${lines
    .slice(0, -1)
    .filter((line) => !/^(?:# (?:HELP|TYPE) )?(?:process|nodejs)_/.test(line))
    .map((line) => line.replace(volatile, '$1$2 volatile'))
    .map((line) => line.replace(timeOfPoll, (_, series, time) => `${series} ${Math.floor(time / 60) * 60}`))
    .join('\n')}\n`;
}

it.each(['specification', 'provider'] as const)('the page of the %s equals its golden file', async (dialect) => {
  fakeDate(now);
  const sandbox = await openSandbox({ dialect, clock: { now: () => Date.parse(now) } });
  const accounts = ['blog', 'shop', 'unlimited'].map((login) =>
    sandboxAccountConfig(sandbox, login, { api: { requestsPerMinute: 60_000 } }),
  );
  const exporter = await startApp(config(...accounts));
  await pollAll(exporter);

  const page = await (await fetch(`${exporter.origin}/metrics`)).text();

  parsePage(page, 'text');
  await expect(normalized(page)).toMatchFileSnapshot(`golden/${dialect}.txt`);
});
