import * as z from 'zod';
import { dialects } from '../api/dialect.ts';
import { reasons } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import type { SessionSnapshot } from '../api/session.ts';
import { KeptPayload } from '../exposition/kept-payload.ts';
import type { AccountSnapshot, CollectorSnapshot, DropReason } from '../polling/snapshot.ts';

/** Version of the lines below. A file of another version is dropped. */
const format = 1;

/** Unix milliseconds. */
const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const count = z.int().min(0);
const method = z.custom<Method>((value) => typeof value === 'string' && /^[a-z]+\/(?:get|is)[A-Za-z]+$/.test(value));

/** A slow hash of the rejected secret: enough to recognize it, of no use to find it. */
const secretHash = z.object({ salt: z.base64(), hash: z.base64() });

export type SecretHash = z.infer<typeof secretHash>;

const session = z.object({
  nextCall: time,
  pausedUntil: time.optional(),
  rejection: z.object({ secret: secretHash, count: count.min(1), rejected: time, nextAttempt: time }).optional(),
  access: z.object({
    sequence: count,
    accepted: z.array(z.tuple([method, z.object({ sent: count, answered: count })])),
    rejected: z.array(z.tuple([method, z.object({ answered: count, reason: z.enum(reasons) })])),
  }),
  unknownMethods: z.array(z.tuple([method, time])),
  offeredMethods: z.array(method),
  dialect: z.enum(dialects),
});

/** A session whose rejected secret is hashed. */
export type StoredSession = Omit<SessionSnapshot, 'rejection'> & {
  readonly rejection:
    | (Omit<NonNullable<SessionSnapshot['rejection']>, 'secret'> & { readonly secret: SecretHash })
    | undefined;
};

/** The first line. */
const head = z.object({
  format: z.literal(format),
  account: z.string(),
  /** A hash of server, login and notation. */
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

/** The first line of a collector. The lines of its payloads follow. */
const collectorLine = z.object({
  collector: z.string(),
  /** Version of its payload. */
  version: count,
  runStarted: time,
  poll: z
    .object({
      ended: time,
      lastSuccess: time.optional(),
      failedPolls: count,
      failures: z.array(failure),
      accepted: z.boolean().optional(),
      droppedSeries: count,
      retry: time.optional(),
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

/** The last line, with the number of those before it. */
const endLine = z.object({ end: count });

/** What the file of one account contains. */
export interface AccountState {
  readonly account: string;
  readonly identity: string;
  /** Unix milliseconds. */
  readonly written: number;
  readonly session: StoredSession;
  readonly polls: AccountSnapshot;
}

/** Versions of the payloads of this program, by collector. */
export type PayloadVersions = ReadonlyMap<string, number>;

/**
 * The lines of a file, each a JSON text, so that neither writing nor reading handles more than one payload at a time. They
 * contain no secret and no time zone: payloads are what the schemas have read.
 */
export function* formatState(state: AccountState, versions: PayloadVersions): Generator<string, void> {
  const { polls, ...rest } = state;
  let lines = 1;
  yield `${JSON.stringify({ format, ...rest })}\n`;
  for (const [collector, { payloads, runStarted, poll }] of polls.collectors) {
    lines += 1 + payloads.size;
    yield `${JSON.stringify({ collector, version: versions.get(collector) ?? 0, runStarted, poll: withoutStacks(poll) })}\n`;
    for (const [item, kept] of payloads) {
      const { answered, providerTime, complete, json } = kept;
      const fields = JSON.stringify({ item, answered, providerTime, complete });
      yield `${fields.slice(0, -1)}${payloadField}${json}}\n`;
    }
  }
  yield `${JSON.stringify({ end: lines })}\n`;
}

function withoutStacks(poll: CollectorSnapshot['poll']): CollectorSnapshot['poll'] {
  return poll && { ...poll, failures: poll.failures.map(({ stack: _stack, ...rest }) => rest) };
}

/** A file as far as it can be used, and what was dropped of it. */
export interface ReadState {
  readonly state: AccountState | undefined;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

/**
 * Reads a file whose payloads are of these versions. Yields the length of each line, so that the caller may let other work continue.
 * Drops the file if any line is damaged, and payloads of other versions. Never throws.
 */
export function* parseState(text: string, versions: PayloadVersions): Generator<number, ReadState> {
  const damaged: ReadState = { state: undefined, dropped: { damaged: 1 } };
  const lines = text.split('\n');
  const last = lines.length - 2;
  if (lines.at(-1) !== '' || parseLine(endLine, lines[last])?.end !== last) return damaged;
  const first = parseJson(lines[0]);
  if (z.object({ format: z.number() }).safeParse(first).data?.format !== format) {
    return { state: undefined, dropped: { unknown: 1 } };
  }
  const opening = head.safeParse(first);
  if (!opening.success) return damaged;
  const collectors = new Map<string, CollectorSnapshot>();
  /** Of the newest collector; undefined if it is unknown. */
  let payloads: Map<string, KeptPayload> | undefined;
  let unknown = 0;
  for (const [index, line] of lines.slice(1, last).entries()) {
    const value = parseJson(line);
    // Not both schemas, because a failure takes longer than a success.
    const isStart = typeof value === 'object' && value !== null && 'collector' in value;
    const start = isStart ? collectorLine.safeParse(value).data : undefined;
    const payload = isStart ? undefined : payloadLine.safeParse(value).data;
    if (start !== undefined) {
      const { collector, version, runStarted, poll } = start;
      payloads = versions.get(collector) === version ? new Map() : undefined;
      if (payloads !== undefined) collectors.set(collector, { payloads, runStarted, poll: pollOf(poll) });
    } else if (payload === undefined || index === 0) {
      return damaged;
    } else if (payloads === undefined) {
      unknown += 1;
    } else {
      payloads.set(payload.item, KeptPayload.ofJson(payloadTextOf(line, value, payload), payload.payload, payload));
    }
    yield line.length;
  }
  const { format: _format, session: stored, ...rest } = opening.data;
  const { pausedUntil, rejection } = stored;
  const polls = { collectors };
  const state = { ...rest, session: { ...stored, pausedUntil, rejection }, polls };
  return { state, dropped: unknown === 0 ? {} : { unknown } };
}

/** The text of the payload in a line. */
function payloadTextOf(line: string, value: unknown, { payload }: z.infer<typeof payloadLine>): string {
  const start = line.indexOf(payloadField);
  // If another program has written the line, the text may be elsewhere.
  if (start < 0 || Object.keys(Object(value)).join() !== payloadFields) return JSON.stringify(payload);
  return line.slice(start + payloadField.length, -1);
}

/** All other fields are numbers, flags and a text, in which quotes are escaped. */
const payloadFields = 'item,answered,providerTime,complete,payload';
const payloadField = ',"payload":';

function pollOf(poll: z.infer<typeof collectorLine>['poll']): CollectorSnapshot['poll'] {
  if (poll === undefined) return undefined;
  const { retry, lastSuccess, accepted } = poll;
  return { ...poll, retry, lastSuccess, accepted, isFromEarlierProcess: true };
}

function parseLine<T>(schema: z.ZodType<T>, line: string | undefined): T | undefined {
  return schema.safeParse(parseJson(line)).data;
}

function parseJson(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
