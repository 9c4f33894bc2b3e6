import { expect, it, vi } from 'vitest';
import type { Fault } from '../../sandbox/src/faults/fault.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { sandboxAccountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { openSandbox } from '../fixtures/sandbox.ts';

const minute = 60_000;
const hour = 60 * minute;

type Kind = 'hourly' | 'daily';

/** An exported hour or day: its value, and its start in Unix milliseconds. */
interface Shown {
  readonly kind: Kind;
  readonly site: string;
  readonly start: number;
  readonly value: number;
  /** Our clock. */
  readonly time: number;
}

/** Polls the load of each site every seven minutes, from half an hour before midnight until two hours after it. */
async function pollAroundMidnight(fault: Fault, settlingTime?: number) {
  fakeClock('2026-06-03T23:30:00Z');
  const sandbox = await openSandbox();
  sandbox.setFault(fault);
  const subject = polledAccount(
    sandboxAccountConfig(sandbox, 'blog', {
      api: settlingTime === undefined ? {} : { settlingTime },
      collectors: ['site_load', 'site_load_detail'],
    }),
  );
  const shown: Shown[] = [];
  await subject.account.pollOnce();
  for (let poll = 0; poll < 20; poll += 1) {
    await subject.poller('site_load_detail').poll();
    for (const kind of ['hourly', 'daily'] as const) {
      const starts = await subject.series(`hosting_site_load_${kind}_timestamp_seconds`);
      for (const { labels, value } of await subject.series(`hosting_site_load_${kind}`)) {
        const site = labels['site'] ?? '';
        const start = starts.find((other) => other.labels['site'] === site)?.value ?? Number.NaN;
        shown.push({ kind, site, start: start * 1000, value, time: Date.now() });
      }
    }
    await vi.advanceTimersByTimeAsync(7 * minute);
  }
  await vi.advanceTimersByTimeAsync(2 * hour);
  sandbox.clearFaults();
  return { shown, sandbox };
}

/** The final values by kind, site and start. */
function finalValues(sandbox: Sandbox): ReadonlyMap<string, number> {
  return new Map(
    sandbox
      .account('blog')
      .sites.flatMap(({ name, load }) => [
        ...load.hours.map(({ startsAt, value }): [string, number] => [`hourly ${name} ${startsAt}`, value]),
        ...load.days.map(({ startsAt, value }): [string, number] => [`daily ${name} ${startsAt}`, value]),
      ]),
  );
}

const wrongValues = ({ shown, sandbox }: Awaited<ReturnType<typeof pollAroundMidnight>>) => {
  const final = finalValues(sandbox);
  return shown.filter(({ kind, site, start, value }) => final.get(`${kind} ${site} ${start}`) !== value);
};

it.each<[string, Fault, skew: number]>([
  ['up to date', { kind: 'latency', latency: 0 }, 0],
  ['adding up load 9 minutes late', { kind: 'late_sums', seconds: 540 }, 0],
  ['25 minutes behind', { kind: 'clock_behind', seconds: 1500 }, -25 * minute],
  ['25 minutes ahead', { kind: 'clock_ahead', seconds: 1500 }, 25 * minute],
])('is shown with its final value only, once it has settled, with a provider that is %s', async (_, fault, skew) => {
  const polled = await pollAroundMidnight(fault);

  const starts = [...finalValues(polled.sandbox).keys()].filter((key) => key.startsWith('hourly '));
  const notNewest = polled.shown.filter(({ kind, site, start, time }) => {
    const settled = time + skew - 10 * minute;
    const newest = starts
      .filter((key) => key.startsWith(`hourly ${site} `))
      .map((key) => Number(key.split(' ').at(-1)))
      .findLast((other) => other + hour <= settled);
    return kind === 'hourly' && start !== newest;
  });
  expect(polled.shown.length).toBeGreaterThan(40);
  expect(new Set(polled.shown.filter(({ kind }) => kind === 'daily').map(({ start }) => start)).size).toBe(2);
  expect(wrongValues(polled)).toEqual([]);
  expect(notNewest).toEqual([]);
});

it('an hour or day is shown too early if settling_time is too short', async () => {
  const fault = { kind: 'late_sums', seconds: 1200 } as const;

  expect(wrongValues(await pollAroundMidnight(fault))).not.toEqual([]);
  expect(wrongValues(await pollAroundMidnight(fault, 20 * minute))).toEqual([]);
});
