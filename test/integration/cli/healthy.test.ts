import { afterEach, describe, expect, it } from 'vitest';
import { askExporters, openHealthSocket } from '../../../src/cli/healthy.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

/** Opens the socket of an exporter whose program is in this folder. */
async function open(folder: string, isHealthy = () => true) {
  const server = await openHealthSocket(isHealthy, folder);
  if (server !== undefined) cleanups.add(() => server.close());
  return server;
}

describe('the health of the exporters of a machine', () => {
  it('is that of each exporter that runs from the folder', async () => {
    const folder = temporaryFolder(cleanups);
    expect(await askExporters(folder)).toEqual([]);

    let isHealthy = true;
    await open(folder, () => isHealthy);
    await open(folder, () => true);
    await open(temporaryFolder(cleanups), () => false);
    expect(await askExporters(folder)).toEqual(['status 200', 'status 200']);

    isHealthy = false;
    expect(await askExporters(folder)).toEqual(['status 503', 'status 200']);
  });

  it('is not that of an exporter that has stopped, whose place the next one takes', async () => {
    const folder = temporaryFolder(cleanups);
    const first = await open(folder);
    await open(folder);
    first?.close();

    expect(await askExporters(folder)).toEqual(['status 200']);
    await open(folder, () => false);
    expect(await askExporters(folder)).toEqual(['status 503', 'status 200']);
  });

  it('is known of up to sixteen exporters', async () => {
    const folder = temporaryFolder(cleanups);

    const servers = await Promise.all(Array.from({ length: 17 }, () => open(folder)));

    expect(servers.filter((server) => server === undefined)).toHaveLength(1);
    expect(await askExporters(folder)).toHaveLength(16);
  });
});
