import { Cleanups } from '../fixtures/cleanups.ts';
import type { RecordedFunction } from './recorder.ts';
import { followFigure } from './way.ts';

// Lists the functions of src that a poll of a list and a scrape run, in the order of their first calls.

const cleanups = new Cleanups();
try {
  const { poll, scrape } = await followFigure(cleanups);
  print('a poll; an asterisk marks those that carry the figure from the reply to the store', poll);
  print('a scrape; an asterisk marks those that carry the figure from the store to the socket', scrape);
} finally {
  await cleanups.end();
}

function print(what: string, functions: readonly RecordedFunction[]): void {
  const lines = functions.map(({ file, line, name, carries }) => `  ${carries ? '*' : ' '} ${file}:${line} ${name}`);
  process.stdout.write([`${functions.length} functions of ${what}:`, ...lines, '', ''].join('\n'));
}
