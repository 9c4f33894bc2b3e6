import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { runProgram, startExporter, startProgram, writeSettings } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

/** The user name of this URL cannot be decoded. */
const brokenProxy = { HTTP_PROXY: 'http://us%er:pass@127.0.0.1:3128' };

function settings(directory: string) {
  return {
    api: { base_url: 'http://127.0.0.1:1/api' },
    state: { directory },
    accounts: [{ name: 'shop', login: 'shop', password: 'secret' }],
  };
}

describe('an error while the exporter is being created', () => {
  it('ends it with exit code 2 and releases the state directory', async () => {
    const folder = temporaryFolder(cleanups);
    const file = writeSettings(cleanups, settings(folder));

    const { code, stderr } = await runProgram(cleanups, [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0'], {
      environment: brokenProxy,
    });

    expect([code, stderr]).toEqual([2, expect.stringMatching(/^HTTP_PROXY: is not the URL of a proxy; .*\n$/m)]);
    expect(stderr).not.toContain('pass@');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('releases the state directory if the port is in use', async () => {
    const first = await startExporter(cleanups, settings(join(temporaryFolder(cleanups), 'state')));
    const folder = temporaryFolder(cleanups);
    const file = writeSettings(cleanups, settings(folder));

    const second = startProgram(cleanups, [`--config.file=${file}`, `--web.listen-address=${first.address}`]);

    expect(await second.exit).toMatchObject({ code: 3 });
    expect(second.stderr).toMatch(/^\S+: cannot listen.*\n$/);
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
  });
});
