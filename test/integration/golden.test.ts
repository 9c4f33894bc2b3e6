import { describe, expect, it } from 'vitest';
import { inlineSecret } from '../../src/config/secret.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { parsePage } from '../oracle/exposition.ts';

const now = '2026-06-03T12:34:00Z';

/** What differs from run to run: figures of the process and of durations. Their lines keep the name and lose the figure. */
const volatile =
  /^((?:process|nodejs)_\w+|hosting_exporter_(?:collector|api_request)_duration_seconds\w*)(\{.*\})? .*$/;

/** Times of polls, rounded to minutes. */
const timeOfPoll =
  /^(hosting_(?:exporter_\w+_success_timestamp_seconds|account_block_timestamp_seconds)(?:\{.*\})?) (.*)$/;

/** The page with the lines of each family sorted, because their order depends on when results arrived. */
function settled(page: string): string {
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

describe('the page of metrics of the sandbox at a fixed time', () => {
  it.each(['specification', 'provider'] as const)('in the dialect of the %s is as it was', async (dialect) => {
    fakeClock(now);
    const sandbox = await startSandbox({ dialect, requestsPerMinute: 0, clock: { now: () => Date.parse(now) } });
    const accounts = ['blog', 'shop', 'unlimited'].map((login) =>
      accountConfig({
        name: login,
        credentials: { kind: 'password', login, password: inlineSecret(sandbox.account(login).password) },
        api: { baseUrl: sandbox.baseUrl },
      }),
    );
    const under = await startApp(config(...accounts));
    await pollAll(under);

    const page = await (await fetch(`${under.origin}/metrics`)).text();
    await sandbox.close();

    parsePage(page, 'text');
    await expect(settled(page)).toMatchFileSnapshot(`golden/${dialect}.txt`);
  });
});
