import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { webConfigFolder } from '../../../fixtures/secured-app.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

/** Writes a web configuration file next to the certificates and keys of the fixtures. Returns its path. */
export function writtenFile(text: string, mode = 0o600): string {
  const folder = temporaryFolder();
  cpSync(webConfigFolder, folder, { recursive: true, filter: (source) => !source.endsWith('.yml') });
  for (const key of ['server.key', 'expired-server.key']) chmodSync(join(folder, key), 0o600);
  const path = join(folder, 'web.yml');
  writeFileSync(path, text, { mode });
  return path;
}
