import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reasons } from '../../../src/api/error.ts';
import { ApiSession } from '../../../src/api/session.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import type { AccountSnapshot } from '../../../src/results/snapshot.ts';
import { formatState, parseState, type ReadState, type StoredAccount } from '../../../src/state/state-file.ts';
import { finishedPoll } from '../../fixtures/finished-poll.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';

const written = Date.parse('2026-06-03T12:00:00Z');
const versions = new Map([
  ['databases', 1],
  ['site_load_detail', 3],
  ['backups', 2],
]);
const arrival = { answered: written - 1000, providerTime: written - 900, complete: true };

const polls: AccountSnapshot = {
  collectors: new Map([
    [
      'databases',
      {
        payloads: new Map([['', new KeptPayload([{ name: 'shop_main', size: 5 }], { ...arrival, complete: false })]]),
        runStarted: written - 2000,
        poll: {
          ended: written - 1000,
          succeeded: true,
          seconds: 0.5,
          calls: 1,
          lastSuccess: written - 1000,
          failedPolls: 0,
          failures: [],
          accepted: true,
          droppedSeries: 0,
          retry: undefined,
          isFromEarlierProcess: false,
        },
      },
    ],
    [
      'site_load_detail',
      {
        payloads: new Map(
          ['1', '2', '3'].map((site) => [`{"site_id":"${site}"}`, new KeptPayload({ hours: [site] }, arrival)]),
        ),
        runStarted: written - 2000,
        poll: {
          ended: written - 500,
          succeeded: false,
          seconds: 7,
          calls: 3,
          lastSuccess: written - 4000,
          failedPolls: 2,
          failures: [{ reason: 'permission', message: 'no', accepted: true, forbiddenMethod: 'stat/getSiteLoad' }],
          accepted: undefined,
          droppedSeries: 1,
          retry: written + 1000,
          isFromEarlierProcess: false,
        },
      },
    ],
    ['backups', { payloads: new Map(), runStarted: written - 3000, poll: undefined }],
  ]),
};

const state: StoredAccount = {
  account: 'shop',
  identity: 'abc',
  written,
  session: {
    nextCall: written,
    pausedUntil: written + 1,
    rejection: { secret: { salt: 'AAAA', hash: 'BBBB' }, count: 2, rejected: written, nextAttempt: written + 5 },
    access: {
      sequence: 9,
      accepted: [['stat/getDbLoad', { sent: 1, answered: 2 }]],
      rejected: [['domain/getList', { answered: 4, reason: 'permission' }]],
    },
    unknownMethods: [['domain/getPhpVersion', written]],
    offeredMethods: ['domain/getSubdomainList'],
    dialect: 'provider',
  },
  polls,
};

const text = [...formatState(state, versions)].join('');

function read(content: string): Promise<ReadState> {
  return parseState(content, versions);
}

/** A snapshot as plain data. */
function plain({ collectors }: AccountSnapshot) {
  return [...collectors].map(([name, { payloads, runStarted, poll }]) => ({
    name,
    runStarted,
    poll: poll && { ...poll, isFromEarlierProcess: true },
    payloads: [...payloads].map(([item, { answered, providerTime, complete, json }]) => [
      item,
      { answered, providerTime, complete, json },
    ]),
  }));
}

afterEach(() => void vi.useRealTimers());

const anyTime = fc.date({ noInvalidDate: true }).map((date) => date.getTime());
const anyText = fc.string({ unit: 'binary' });

/** What one account of a process leaves that polled at one time by its clock, and saved at another. */
const anySaved = fc
  .record({
    polledAt: anyTime,
    savedAt: anyTime,
    date: anyTime,
    text: anyText,
    reason: fc.constantFrom(...reasons),
    method: fc.constantFrom(...collectors.flatMap(({ methods }) => methods)),
    payload: fc.jsonValue(),
    seconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
    calls: fc.nat(),
  })
  .map(({ polledAt, savedAt, date, text: anything, reason, method, payload, seconds, calls }): StoredAccount => {
    vi.setSystemTime(polledAt);
    const session = new ApiSession(30);
    session.clock.observe(date);
    session.access.accepted(method, session.access.sent());
    session.access.rejected(method, 'auth', anything, session.access.sent());
    session.unknownMethods.set(method, performance.now() + seconds);
    session.offeredMethods.add(method);
    session.budget.pause(seconds);
    session.gate.rejected('secret', performance.now(), anything);
    const kept = new KeptPayload(payload, { answered: Date.now(), providerTime: session.clock.now, complete: true });
    const failures = [{ reason, message: anything, accepted: false, forbiddenMethod: method }];
    const poll = finishedPoll({ failures, lastSuccess: Date.now(), retry: Date.now() + seconds, seconds, calls });
    const payloads = new Map([[JSON.stringify({ site: anything }), kept]]);
    vi.setSystemTime(savedAt);
    const { rejection, ...rest } = session.snapshot();
    session.budget.close();
    return {
      account: anything,
      identity: anything,
      written: Date.now(),
      session: { ...rest, rejection: rejection && { ...rejection, secret: { salt: 'AAAA', hash: 'BBBB' } } },
      polls: { collectors: new Map([['databases', { payloads, runStarted: polledAt, poll }]]) },
    };
  });

describe('a state file', () => {
  it('can always be read after an exporter wrote it, also if its clock or the clock of the API is wrong by any time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await fc.assert(
      fc.asyncProperty(anySaved, async (saved) => {
        const { state: found, dropped } = await read([...formatState(saved, versions)].join(''));

        expect(dropped).toEqual({});
        expect(found && { ...found, polls: plain(found.polls) }).toEqual({ ...saved, polls: plain(saved.polls) });
      }),
      { seed: 28, numRuns: propertyRuns(1000) },
    );
  });

  it('contains what was written, and marks polls as those of an earlier process', async () => {
    const { state: found, dropped } = await read(text);

    expect(dropped).toEqual({});
    expect(found && { ...found, polls: plain(found.polls) }).toEqual({ ...state, polls: plain(polls) });
    expect(found?.polls.collectors.get('databases')?.poll?.isFromEarlierProcess).toBe(true);
  });

  it('contains the first 20 failures of a poll, without stacks', () => {
    const failures = Array.from({ length: 21 }, (_, index) => {
      return { reason: 'bug', message: `failure ${index}`, accepted: false } as const;
    });
    const poll = finishedPoll({ failures: failures.map((failure) => ({ ...failure, stack: 'Error: at x.ts' })) });
    const collectors = new Map([['databases', { payloads: new Map(), runStarted: written, poll }]]);

    const [, line = ''] = [...formatState({ ...state, polls: { collectors } }, versions)];

    expect(JSON.parse(line).poll.failures).toEqual(failures.slice(0, 20));
  });

  it.each([
    ['has spaces', '{"item": "", "answered": 1, "providerTime": 2, "complete": true, "payload": [1, {"a": 2}]}'],
    ['has another order', '{"item":"","payload":[1,{"a":2}],"answered":1,"providerTime":2,"complete":true}'],
  ])('can come from a program whose JSON %s', async (_what, line) => {
    const { state: found } = await read(text.replace(/^\{"item":"".*$/m, line));

    expect(found?.polls.collectors.get('databases')?.payloads.get('')?.json).toBe('[1,{"a":2}]');
  });

  it.each([
    ['set back by two hours', -7_200_000],
    ['not set', 0],
  ])('contains a pause that is not longer than before if the clock was %s', async (_what, change) => {
    vi.useFakeTimers({ now: written + change });

    const { state: found } = await read(text);

    expect((found?.session.pausedUntil ?? 0) - Date.now()).toBe(1);
  });

  it('loses only the collectors whose payload has another version', async () => {
    const other = text.replace(
      '"collector":"site_load_detail","version":3',
      '"collector":"site_load_detail","version":2',
    );

    const { state: found, dropped } = await read(other);

    expect([...(found?.polls.collectors.keys() ?? [])]).toEqual(['databases', 'backups']);
    expect(dropped).toEqual({ unknown: 3 });
  });

  it('of another format is unknown', async () => {
    expect((await read(text.replace('"format":1', '"format":2'))).dropped).toEqual({ unknown: 1 });
  });

  it.each([
    ['is empty', ''],
    ['is not JSON', 'x\n'],
    ['lacks its last line', text.slice(0, text.lastIndexOf('{"end"'))],
    ['lacks a line in between', text.replace(/^\{"item":"".*\n/m, '')],
    [
      'has a payload before the first collector',
      text.replace(/^\{"collector":"databases".*\n/m, '').replace('"end":8', '"end":7'),
    ],
    ['calls a method that changes something', text.replace('domain/getSubdomainList', 'domain/delete')],
    ['has text before a method', text.replace('domain/getSubdomainList', '../domain/getSubdomainList')],
    ['has text after a method', text.replace('domain/getSubdomainList', 'domain/getSubdomainList?x=1')],
    ['has a number as a method', text.replace('"domain/getSubdomainList"', '7')],
    ['has more after its last line', `${text}x`],
    ['has a line without a payload', text.replace(/,"payload":\[\{.*\}\]\}/, '}')],
    ['has a line that is null', text.replace(/^\{"item":"".*$/m, 'null')],
    ['has a line that is a text', text.replace(/^\{"item":"".*$/m, '"collector"')],
  ])('is damaged if it %s', async (_how, content) => {
    expect(await read(content)).toEqual({ state: undefined, dropped: { damaged: 1 } });
  });

  it('with changed, cut or added bytes is never an error', async () => {
    const zipped = gzipSync(text);
    const { state: undamaged } = await read(text);
    const damage = fc.array(
      fc.record({ at: fc.nat(zipped.length - 1), remove: fc.nat(20), insert: fc.uint8Array({ maxLength: 4 }) }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        let bytes = zipped;
        for (const { at, remove, insert } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
        }
        let content: string;
        try {
          content = gunzipSync(bytes, { maxOutputLength: 1e6 }).toString();
        } catch {
          return;
        }
        const { state: found, dropped } = await read(content);
        // The checksum of gzip finds every other change.
        if (content === text) expect(found).toEqual(undamaged);
        else expect([found, dropped]).toEqual([undefined, { damaged: 1 }]);
      }),
      { seed: 15, numRuns: propertyRuns(5000) },
    );
  });

  it('with any JSON value replaced is never an error', async () => {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const paths = lines.flatMap((line, index) => pathsOf(line).map((path) => ({ index, path })));
    await fc.assert(
      fc.asyncProperty(fc.nat(paths.length - 1), fc.jsonValue({ maxDepth: 2 }), async (choice, value) => {
        const { index, path } = paths[choice] ?? { index: 0, path: [] };
        const changed = structuredClone(lines);
        setAt(changed[index], path, value);
        const { dropped } = await read(`${changed.map((line) => JSON.stringify(line)).join('\n')}\n`);
        expect(Object.keys(dropped).every((reason) => reason === 'damaged' || reason === 'unknown')).toBe(true);
      }),
      { seed: 15, numRuns: propertyRuns(5000) },
    );
  });
});

type Path = readonly string[];

/** All places inside a JSON value. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function setAt(root: unknown, path: Path, value: unknown): void {
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), root);
  Reflect.set(Object(parent), path.at(-1) ?? '', value);
}
