import { parentPort } from 'node:worker_threads';
import { decodeBody } from './api/decoding.ts';
import type { DecodingJob } from './api/decoding-thread.ts';
import { disassemble } from './api/pieces.ts';
import { payloads } from './payloads/list.ts';
import { type Notation, scalarsFor } from './payloads/scalars.ts';

// The entry point of the worker thread that reads large responses.
parentPort?.on('message', ({ bytes, payload, maxItems }: DecodingJob) => {
  const create = payloads.find(({ payloadName }) => payloadName === payload.name);
  if (create === undefined) throw new RangeError(`add the payload ${payload.name} to src/payloads/list.ts`);
  const schema = create(scalarsFor(payload.notation as Notation));
  const pieces = disassemble(decodeBody(bytes, schema, maxItems));
  parentPort?.postMessage(
    pieces,
    pieces.map(({ buffer }) => buffer),
  );
});
