import type { WatchWebConfig } from '../app.ts';

/** A valid web configuration file. */
export interface OpenedWebConfig {
  readonly watch: WatchWebConfig | undefined;
  readonly warnings: readonly string[];
}

/** Reads and validates the file of --web.config.file. Throws ConfigError. */
export async function openWebConfig(path: string | undefined): Promise<OpenedWebConfig> {
  if (path === undefined) return { watch: undefined, warnings: [] };
  // Most exporters run without TLS and login, and need none of this code.
  const { loadWebConfig } = await import('../web-config/load.ts');
  const { WatchedWebConfig } = await import('../web-config/watched-web-config.ts');
  const loaded = loadWebConfig(path);
  return { watch: (observer) => new WatchedWebConfig(path, loaded, observer), warnings: loaded.warnings };
}
