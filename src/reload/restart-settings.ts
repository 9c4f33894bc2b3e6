import type { Config } from '../config/values/config.ts';
import type { Log } from '../log.ts';

/** Returns the loaded configuration with the current web settings, and warns of each change that needs a restart. */
export function keepUntilRestart({ web, stateDirectory }: Config, loaded: Config, log: Log): Config {
  if (
    String(loaded.web.listenAddresses) !== String(web.listenAddresses) ||
    loaded.web.telemetryPath !== web.telemetryPath
  ) {
    log.warn({ ...loaded.web }, 'changed web settings take effect after a restart');
  }
  if (loaded.stateDirectory !== stateDirectory) {
    log.warn({ directory: loaded.stateDirectory }, 'a changed state directory takes effect after a restart');
  }
  return { ...loaded, web };
}
