import { parentPort } from 'node:worker_threads';
import { decodeBody, takeSlices } from './api/decoding.ts';
import type { DecodingJob } from './api/decoding-thread.ts';
import { collectors } from './collectors/list.ts';

// The entry point of the worker thread that reads large responses.
parentPort?.on('message', ({ bytes, payloadName, notation, maxItems, port }: DecodingJob) => {
  const schema = collectors.flatMap(({ payloads }) => payloads).find((listed) => listed.payloadName === payloadName);
  if (schema === undefined) throw new RangeError(`add the payload ${payloadName} to the payloads of its collector`);
  const body = decodeBody(bytes, schema(notation), maxItems);
  const slices = takeSlices(body);
  port.postMessage(body);
  for (const slice of slices) port.postMessage(slice);
  parentPort?.postMessage('decoded');
});
