import { parentPort } from 'node:worker_threads';
import { decodeBody } from './api/decoding.ts';
import { type DecodingJob, type ListSlice, withoutLists } from './api/decoding-thread.ts';
import { collectors } from './collectors/list.ts';

/** Number of values in one slice of a list. The main thread receives a slice in about a millisecond. */
const sliceSize = 2000;

// The entry point of the worker thread that reads large responses.
parentPort?.on('message', ({ bytes, payloadName, notation, maxItems, port }: DecodingJob) => {
  const payload = collectors.flatMap(({ payloads }) => payloads).find((listed) => listed.payloadName === payloadName);
  if (payload === undefined) throw new RangeError(`add the payload ${payloadName} to the payloads of its collector`);
  const body = decodeBody(bytes, payload(notation), maxItems);
  const { head, lists } = withoutLists(body);
  port.postMessage(head);
  for (const [key, list] of lists)
    for (const elements of slicesOf(list)) port.postMessage({ key, elements } satisfies ListSlice);
  parentPort?.postMessage('decoded');
});

function* slicesOf(list: readonly unknown[]): Generator<readonly unknown[]> {
  let start = 0;
  let size = 0;
  for (const [index, element] of list.entries()) {
    size += sizeOf(element);
    if (size < sliceSize && index < list.length - 1) continue;
    yield list.slice(start, index + 1);
    start = index + 1;
    size = 0;
  }
}

/** Approximate number of values in an element and its lists. */
function sizeOf(element: unknown): number {
  const values = typeof element === 'object' && element !== null ? Object.values(element) : [];
  return values.reduce<number>((size, value) => size + (Array.isArray(value) ? value.length : 1), 1);
}
