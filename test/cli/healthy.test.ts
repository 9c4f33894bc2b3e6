import { expect, it } from 'vitest';
import { askExporter, openHealthSocket } from '../../src/cli/healthy.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Opens the socket of an exporter whose program is in this folder. */
async function open(folder: string, isHealthy = () => true) {
  const server = await openHealthSocket(isHealthy, folder);
  if (server !== undefined) cleanups.add(() => server.close());
  return server;
}

it('asks the exporter that runs from the folder, and no other one', async () => {
  const folder = temporaryFolder(cleanups);
  let isHealthy = true;
  await open(temporaryFolder(cleanups));
  expect(await askExporter(folder)).toBe('no exporter is listening');

  await open(folder, () => isHealthy);
  expect(await askExporter(folder)).toBeUndefined();

  isHealthy = false;
  expect(await askExporter(folder)).toBe('not healthy: status 503');
});

it('leaves the place to the first exporter of a folder until it stops', async () => {
  const folder = temporaryFolder(cleanups);
  const first = await open(folder);
  expect(await open(folder, () => false)).toBeUndefined();
  expect(await askExporter(folder)).toBeUndefined();

  first?.close();
  expect(await askExporter(folder)).toBe('no exporter is listening');
  await open(folder, () => false);
  expect(await askExporter(folder)).toBe('not healthy: status 503');
});
