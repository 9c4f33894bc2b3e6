import * as z from 'zod';
import { dialects } from '../api/dialect.ts';
import { reasons } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import type { SessionSnapshot } from '../api/session.ts';
import { readOr } from '../config/values/expected-error.ts';
import type { FinishedPoll } from '../results/finished-poll.ts';
import { KeptPayload } from '../results/kept-payload.ts';
import type { AccountSnapshot, CollectorSnapshot, DropReason } from '../results/snapshot.ts';
import { TimeSlice } from '../runtime/time-slice.ts';

/** Version of the file format. A file of another version is dropped. */
const format = 1;

/** Unix milliseconds. A clock may be wrong by any amount, so every number is valid. */
const time = z.number();
const count = z.int().min(0);
const method = z.custom<Method>((value) => typeof value === 'string' && /^[a-z]+\/(?:get|is)[A-Za-z]+$/.test(value));

/** A slow hash of the rejected secret. The hash identifies the secret, but does not reveal it. */
const secretHash = z.object({ salt: z.base64(), hash: z.base64() });

export type SecretHash = z.infer<typeof secretHash>;

const session = z.object({
  nextCall: time,
  pausedUntil: time.optional(),
  // Without a hash, the rejection blocks calls with every secret.
  rejection: z
    .object({ secret: secretHash.optional(), count: count.min(1), rejected: time, nextAttempt: time })
    .optional(),
  access: z.object({
    sequence: count,
    accepted: z.array(z.tuple([method, z.object({ sent: count, answered: count })])),
    rejected: z.array(z.tuple([method, z.object({ answered: count, reason: z.enum(reasons) })])),
  }),
  unknownMethods: z.array(z.tuple([method, time])),
  offeredMethods: z.array(method),
  dialect: z.enum(dialects),
});

/** The first line of the file. */
const head = z.object({
  format: z.literal(format),
  account: z.string(),
  identity: z.string(),
  written: time,
  session,
});

const failure = z.object({
  reason: z.enum([...reasons, 'bug']),
  message: z.string(),
  accepted: z.boolean(),
  forbiddenMethod: method.optional(),
});

/** The line of a collector. The lines of the collector's payloads follow. */
const collectorLine = z.object({
  collector: z.string(),
  version: count,
  runStarted: time,
  poll: z
    .object({
      ended: time,
      seconds: z.number().default(0),
      calls: count.default(0),
      lastSuccess: time.optional(),
      failedPolls: count,
      failures: z.array(failure),
      accepted: z.boolean().optional(),
      droppedSeries: count,
      retry: time.optional(),
    })
    .transform((poll): FinishedPoll => {
      const { accepted, lastSuccess, retry, failures } = poll;
      return { ...poll, accepted, lastSuccess, retry, succeeded: failures.length === 0, isFromEarlierProcess: true };
    })
    .optional(),
});

const payloadLine = z.object({
  item: z.string(),
  answered: time,
  providerTime: time,
  complete: z.boolean(),
  payload: z.unknown().refine((payload) => payload !== undefined),
});

/** The last line of the file, with the number of lines before it. */
const endLine = z.object({ end: count });

export interface StoredAccount extends Readonly<Omit<z.infer<typeof head>, 'format' | 'session'>> {
  readonly session: Omit<SessionSnapshot, 'rejection'> & { readonly rejection: z.infer<typeof session>['rejection'] };
  readonly polls: AccountSnapshot;
}

/** The payload version of each collector in this version of the program. */
export type PayloadVersions = ReadonlyMap<string, number>;

/** Formats a file. Each line is a JSON text, so that reading and writing handle one payload at a time. Contains no secret. */
export function* formatState(state: StoredAccount, versions: PayloadVersions): Generator<string, void> {
  const { polls, ...rest } = state;
  let lines = 1;
  yield `${JSON.stringify({ format, ...rest })}\n`;
  for (const [collector, { payloads, runStarted, poll }] of polls.collectors) {
    lines += 1 + payloads.size;
    yield `${JSON.stringify({ collector, version: versions.get(collector) ?? 0, runStarted, poll: savedPoll(poll) })}\n`;
    for (const [item, kept] of payloads) {
      const { answered, providerTime, complete, json } = kept;
      const fields = JSON.stringify({ item, answered, providerTime, complete });
      yield `${fields.slice(0, -1)}${payloadField}${json}}\n`;
    }
  }
  yield `${JSON.stringify({ end: lines })}\n`;
}

const maxFailures = 20;

function savedPoll(poll: CollectorSnapshot['poll']): CollectorSnapshot['poll'] {
  return poll && { ...poll, failures: poll.failures.slice(0, maxFailures).map(({ stack: _stack, ...rest }) => rest) };
}

export interface ReadState {
  readonly state: StoredAccount | undefined;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

/** Parses a file. Drops a file with a damaged line, and payloads of other versions. Rejects with RangeError for too much nesting. */
export async function parseState(text: string, versions: PayloadVersions): Promise<ReadState> {
  const slice = new TimeSlice();
  const damaged: ReadState = { state: undefined, dropped: { damaged: 1 } };
  const lines = text.split('\n');
  const last = lines.length - 2;
  if (lines.at(-1) !== '' || endLine.safeParse(parseJson(lines[last])).data?.end !== last) return damaged;
  const first = parseJson(lines[0]);
  if (z.object({ format: z.number() }).safeParse(first).data?.format !== format) {
    return { state: undefined, dropped: { unknown: 1 } };
  }
  const opening = head.safeParse(first);
  if (!opening.success) return damaged;
  const collectors = new Map<string, CollectorSnapshot>();
  /** Payloads of the collector whose lines are being read. Undefined while lines of another payload version are skipped. */
  let payloads: Map<string, KeptPayload> | undefined;
  let unknown = 0;
  for (const [index, line] of lines.slice(1, last).entries()) {
    const value = parseJson(line);
    // Choose the schema first, because a failed attempt with the wrong schema takes longer.
    const isStart = typeof value === 'object' && value !== null && 'collector' in value;
    const start = isStart ? collectorLine.safeParse(value).data : undefined;
    const payload = isStart ? undefined : payloadLine.safeParse(value).data;
    if (start !== undefined) {
      const { collector, version, runStarted, poll } = start;
      payloads = versions.get(collector) === version ? new Map() : undefined;
      if (payloads !== undefined) collectors.set(collector, { payloads, runStarted, poll });
    } else if (payload === undefined || index === 0) {
      return damaged;
    } else if (payloads === undefined) {
      unknown += 1;
    } else {
      payloads.set(payload.item, new KeptPayload(payload.payload, payload, payloadTextOf(line, value, payload)));
    }
    await slice.pause();
  }
  const { format: _format, session: stored, ...rest } = opening.data;
  // If the clock was set back since the save, the pause must not become longer.
  const setBack = Math.max(0, rest.written - Date.now());
  const pausedUntil = stored.pausedUntil === undefined ? undefined : stored.pausedUntil - setBack;
  const state = { ...rest, session: { ...stored, pausedUntil, rejection: stored.rejection }, polls: { collectors } };
  return { state, dropped: unknown === 0 ? {} : { unknown } };
}

function payloadTextOf(line: string, value: unknown, { payload }: z.infer<typeof payloadLine>): string {
  const start = line.indexOf(payloadField);
  // Encode the payload again if another program wrote the fields in another order.
  if (start < 0 || Object.keys(Object(value)).join() !== payloadFields) return JSON.stringify(payload);
  return line.slice(start + payloadField.length, -1);
}

/** Quotes in the other fields are escaped, so the first `,"payload":` in a line is directly before the payload. */
const payloadFields = 'item,answered,providerTime,complete,payload';
const payloadField = ',"payload":';

/** The value of a line; undefined if the line is damaged. */
export function parseJson(line: string | undefined): unknown {
  return readOr(undefined, () => JSON.parse(line ?? ''));
}
