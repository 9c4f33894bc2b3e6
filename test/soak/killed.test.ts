import { expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { killWhileSaving } from '../fixtures/killed-writer.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const kills = 200;

it(`${kills} processes, each killed during a save, leave the old or the new state`, {
  timeout: 600_000,
}, async () => {
  const cleanups = new Cleanups();
  const directory = temporaryFolder(cleanups);
  try {
    for (let kill = 0, first = 0; kill < kills; kill += 1) {
      const { reported, found, mixed, loads } = await killWhileSaving(directory, first, Math.random() * 40);

      expect([mixed, loads], `kill ${kill}`).toEqual([0, true]);
      expect(found, `kill ${kill}`).toBeGreaterThanOrEqual(reported);
      first = found + 1;
    }
  } finally {
    await cleanups.end();
  }
});
