import { ConfigError } from '../config/values/config-error.ts';
import type { WebConfigObserver } from '../web/config/watched-web-config.ts';

/** Waits for `loading` and the web configuration. Rejects with one ConfigError for the problems of both, or with any other error. */
export async function withWebConfig<Loaded>(loading: Promise<Loaded>, path: string | undefined) {
  const [config, web] = await Promise.allSettled([loading, openWebConfig(path)]);
  if (config.status === 'fulfilled' && web.status === 'fulfilled') return [config.value, web.value] as const;
  const errors: readonly unknown[] = [config, web].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  throw errors.every((error) => error instanceof ConfigError)
    ? new ConfigError(errors.flatMap(({ problems }) => problems))
    : errors.find((error) => !(error instanceof ConfigError));
}

/** `requiresLogin`: whether every client needs a password or a verified certificate. */
async function openWebConfig(path: string | undefined) {
  if (path === undefined) return { watch: undefined, warnings: [], requiresLogin: false };
  // Most exporters run without TLS and login, and do not need this code.
  const { loadWebConfig } = await import('../web/config/load.ts');
  const { WatchedWebConfig } = await import('../web/config/watched-web-config.ts');
  const loaded = loadWebConfig(path);
  const { access, tls, warnings } = loaded;
  const requiresLogin = access.users.size > 0 || tls?.clientAuth === 'RequireAndVerifyClientCert';
  const watch = (observer: WebConfigObserver) => new WatchedWebConfig(path, loaded, observer);
  return { watch, warnings, requiresLogin };
}
