import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Belongings } from './belongings.ts';

/** An empty folder that goes with the belongings. */
export function temporaryFolder(belongings: Belongings): string {
  const folder = mkdtempSync(join(tmpdir(), 'hosting-account-exporter-'));
  belongings.add(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
