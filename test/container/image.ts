import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { repository } from '../fixtures/repository.ts';
import { inFolder } from '../rules/run-tool.ts';
import type { Engine } from './engine.ts';
import { copyWithoutDigest, importNode, writeNpmSettings } from './substitute-images.ts';

/** Tag of the image in the compose stack. */
export const image = 'hosting-account-exporter:local';

/** Tag of a second build of the same image. */
export const secondImage = 'hosting-account-exporter:second';

/** Tag of an image that runs the exporter as a systemd unit. */
export const systemdImage = 'machine-with-systemd';

/** Revision of the built image. */
export const revision = 'c0ffee1';

/** Additional tag of the base of the image. */
export const baseImage = 'base-of-image';

/** Builds the image with the arguments that the Dockerfile documents. */
export async function buildImage(engine: Engine): Promise<void> {
  await inFolder([], async (folder) => {
    const dockerfile = join(folder, 'Dockerfile');
    const base = await copyWithoutDigest(join(repository, 'Dockerfile'), dockerfile);
    await importNode(engine, base);
    await engine.docker('tag', base, baseImage);
    const settings = await writeNpmSettings(folder);
    const build = (tag: string, ...options: readonly string[]) =>
      engine.docker(
        ...[
          'build',
          '--network',
          'host',
          '--file',
          dockerfile,
          '--tag',
          tag,
          '--secret',
          `id=npmrc,src=${settings}`,
          ...options,
        ],
        ...['--build-arg', `VERSION=${packageJson.version}`],
        ...['--build-arg', `REVISION=${revision}`],
        ...['--build-arg', 'CREATED=2026-01-02T03:04:05Z', '--build-arg', 'SOURCE_DATE_EPOCH=1767323045'],
        repository,
      );
    await build(image);
    await build(secondImage, '--no-cache');
  });
}
