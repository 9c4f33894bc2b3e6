import { expect, it } from 'vitest';
import { shop } from '../src/accounts/shop.ts';
import { type Dialect, dialects } from '../src/dialect.ts';
import { startSandbox } from '../src/server.ts';
import { fixedClock } from './api-caller.ts';
import { callsIn, type Step } from './api-calls.ts';
import { everythingOf, runStep } from './effects.ts';

const start = (dialect: Dialect) =>
  startSandbox({ dialect, accounts: [shop], clock: fixedClock, requestsPerMinute: 0 });

it.each(dialects)('a call with unfit values is refused in the %s dialect, and changes nothing', async (dialect) => {
  const sandbox = await start(dialect);
  const before = everythingOf(sandbox);
  const lines: string[] = [];

  for (const step of callsIn(`refusals-${dialect}`)) {
    const refusal = (await runStep(sandbox, step)) as { readonly error_code: unknown; readonly error_text: unknown };
    lines.push(`${step[0]} ${JSON.stringify(step[1])}\n    ${refusal.error_code}: ${refusal.error_text}\n`);
    expect(everythingOf(sandbox), lines.at(-1)).toEqual(before);
  }
  await sandbox.close();

  await expect(lines.join('')).toMatchFileSnapshot(`golden/refusals-${dialect}.txt`);
});

it('the provider accepts the longest names, and a password of six characters', async () => {
  const accepted: readonly Step[] = [
    ['ftp/add', { suffix: 'x'.repeat(32), homedir: '/', password: 'p' }],
    ['mail/createMailbox', { domain: 'teapots.example', mailbox: 'x'.repeat(64), mailbox_password: 'sixsix' }],
    ['mysql/addDb', { suffix: 'x'.repeat(59), password: 'p' }],
    [
      'dns/changeRecords',
      { fqdn: 'teapots.example', records: { CAA: [{ flags: 128, tag: 'issuewild', value: 'a b' }] } },
    ],
    [
      'dns/changeRecords',
      { fqdn: 'teapots.example', records: { SRV: [{ weight: 65_535, port: 65_535, target: 'a.b' }] } },
    ],
  ];
  const sandbox = await start('provider');

  for (const step of accepted) expect(await runStep(sandbox, step)).toBe(true);
  await sandbox.close();
});
