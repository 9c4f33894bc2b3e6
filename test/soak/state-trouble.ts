import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf } from '../../src/state/read-state.ts';

/** Makes a state directory unusable. Returns a function that ends the trouble. */
type StateTrouble = (directory: string, accounts: readonly string[]) => () => void;

/** The troubles, in their order. */
export const stateTroubles: Readonly<Record<string, StateTrouble>> = {
  disappears: (directory) => {
    const moved = `${directory}.moved`;
    renameSync(directory, moved);
    // A file takes its place. Otherwise, the exporter would create the directory again.
    writeFileSync(directory, '');
    return () => {
      rmSync(directory);
      renameSync(moved, directory);
    };
  },

  /** A folder in place of each temporary file makes each save fail, even for root. */
  'is full': (directory, accounts) => {
    const obstacles = accounts.map((account) => join(directory, `${fileNameOf(account)}.tmp`));
    for (const path of obstacles) {
      // The exporter may be writing this file.
      rmSync(path, { force: true });
      mkdirSync(path);
    }
    return () => {
      for (const path of obstacles) rmSync(path, { recursive: true, force: true });
    };
  },

  'belongs to another machine': (directory) => {
    const path = join(directory, 'lock');
    const owner = { token: 'aaaaaaaaaaaa', replaces: '', host: 'elsewhere', pid: 7, boot: 'other' };
    writeFileSync(`${path}.other`, JSON.stringify(owner));
    renameSync(`${path}.other`, path);
    const beat = setInterval(() => utimesSync(path, new Date(), new Date()), 50);
    return () => clearInterval(beat);
  },
};
