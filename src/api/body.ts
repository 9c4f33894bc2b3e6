import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ApiError } from './error.ts';

const mebibyte = 1024 * 1024;

/** Maximum size of an unpacked body in MiB, by default and with a raised `max_items`. A list of 10 000 elements has about 2 MiB. */
const [maxSize, raisedMaxSize] = [4, 16];
const defaultMaxItems = 10_000;

/** Maximum total size, in MiB, of all bodies that the process is reading at the same time. */
const maxTotalSize = 64;

/** For each body that the process is reading: the controller that can abort it, and the bytes unpacked so far. */
const sizes = new Map<AbortController, number>();

/**
 * Reads and unpacks a body. Rejects when `stop` aborts, and with ApiError `payload` if the body is too large or cannot be unpacked. If the
 * bodies being read are too large in total, aborts the largest body, so that a few hostile servers do not affect other accounts.
 */
export async function readBody(received: Readable, encoding: string, maxItems: number, stop: AbortController) {
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw unreadable(`the response has the content encoding ${encoding}; only gzip is accepted`);
  }
  const unpacked = encoding === 'identity' ? received : pipeline(received, createGunzip(), () => {});
  const isRaised = maxItems > defaultMaxItems;
  const limit = isRaised ? raisedMaxSize : maxSize;
  const remedy = isRaised ? '' : `; if its lists are that long, raise max_items above ${defaultMaxItems}`;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit * mebibyte) throw unreadable(`the response is larger than ${limit} MiB${remedy}`);
      sizes.set(stop, size);
      const total = [...sizes.values()].reduce((sum, one) => sum + one, 0);
      if (total <= maxTotalSize * mebibyte) continue;
      const [largest] = [...sizes].toSorted(([, one], [, other]) => other - one)[0] ?? [];
      largest?.abort(unreadable(`all responses being read exceed ${maxTotalSize} MiB, and this one is the largest`));
    }
    return Buffer.concat(chunks);
  } catch (error) {
    const isZlibError = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isZlibError ? unreadable('the response is not valid gzip') : error;
  } finally {
    sizes.delete(stop);
  }
}

function unreadable(message: string): ApiError {
  return new ApiError(message, { reason: 'payload' });
}
