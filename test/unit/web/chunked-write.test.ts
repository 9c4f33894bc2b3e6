import { describe, expect, it } from 'vitest';
import { writeChunked } from '../../../src/web/chunked-write.ts';
import { httpServer } from '../../fixtures/servers.ts';

const writeSize = 1024 * 1024;

/** Buffers of these sizes, each with other bytes. */
function buffersOf(sizes: readonly number[]): readonly Buffer[] {
  return sizes.map((size, index) => Buffer.alloc(size, index + 1));
}

describe('a response body', () => {
  it.each([
    [[]],
    [[0, 1, 0]],
    [[writeSize]],
    [[writeSize - 1, 2]],
    [[writeSize, 1]],
    [[3 * writeSize + 5, 7, 2 * writeSize]],
    [[100_000, 100_000, 100_000]],
  ])('of buffers of %j bytes contains them in their order', async (sizes) => {
    const buffers = buffersOf(sizes);
    const url = await httpServer((_request, response) => void writeChunked(response, buffers));

    const body = Buffer.from(await (await fetch(url)).arrayBuffer());

    expect(body.equals(Buffer.concat(buffers))).toBe(true);
  });

  it('leaves the event loop to others after each write', async () => {
    let turns = 0;
    let isWriting = true;
    const countTurns = () => {
      turns += 1;
      if (isWriting) setImmediate(countTurns);
    };
    const turnsOfBuffers = new Set<number>();
    function* recorded() {
      for (const buffer of buffersOf([writeSize, writeSize, writeSize, writeSize])) {
        turnsOfBuffers.add(turns);
        yield buffer;
      }
      isWriting = false;
    }
    const url = await httpServer((_request, response) => {
      countTurns();
      void writeChunked(response, recorded());
    });

    await (await fetch(url)).arrayBuffer();

    expect(turnsOfBuffers.size).toBeGreaterThanOrEqual(3);
  });

  it('is not read to its end for a client that has left', async () => {
    let read = 0;
    function* endless() {
      for (;;) {
        read += 1;
        yield Buffer.alloc(writeSize);
      }
    }
    const left = Promise.withResolvers<void>();
    const url = await httpServer((_request, response) => {
      left.resolve(writeChunked(response, endless()));
    });
    const client = new AbortController();
    await fetch(url, { signal: client.signal });

    client.abort();
    await left.promise;

    expect(read).toBeGreaterThan(1);
  });
});
