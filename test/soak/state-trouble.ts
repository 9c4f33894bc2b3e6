import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf } from '../../src/state/state-file.ts';

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

  /** A folder in place of each file makes each save fail, even for root. */
  'is full': (directory, accounts) => {
    const paths = accounts.map((account) => join(directory, fileNameOf(account)));
    for (const path of paths) {
      rmSync(path, { force: true });
      mkdirSync(path);
    }
    return () => {
      for (const path of paths) rmSync(path, { recursive: true, force: true });
    };
  },
};
