import type { TestProject } from 'vitest/node';
import { readYaml, repository } from '../fixtures/repository.ts';
import { createDataFolder, removeDataFolder, startEngine } from './engine.ts';
import { buildImage, systemdImage } from './image.ts';
import { importPrometheus, importSystemd } from './substitute-images.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of an engine that contains every image of the tests. */
    readonly dataFolder: string;
  }
}

/** Builds every image once for all tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataFolder = await createDataFolder();
  const remove = () => removeDataFolder(dataFolder);
  try {
    const engine = await startEngine(dataFolder, 'host');
    try {
      await buildImage(engine);
      const { services } = readYaml<ComposeFile>('deploy/compose.services.yml');
      const { prometheus, alertmanager, grafana } = services;
      await importPrometheus(engine, {
        prometheus: prometheus.image,
        alertmanager: alertmanager.image,
        grafana: grafana.image,
      });
      await importSystemd(engine, systemdImage, repository);
    } finally {
      await engine.stop();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('dataFolder', dataFolder);
  return remove;
}

interface ComposeFile {
  readonly services: Readonly<Record<'prometheus' | 'alertmanager' | 'grafana', { readonly image: string }>>;
}
