import { isDeepStrictEqual } from 'node:util';
import type { ReloadResult } from '../../config/reload.ts';
import { formatProblem, type Problem } from '../../config/values/config-error.ts';
import { fileVersion } from '../../config/values/text-file.ts';
import { type AccessConfig, accessOf, loadWebConfig, type ParsedWebConfig, parseWebConfig } from './load.ts';
import type { WebConfigFile } from './schema.ts';
import { readTlsFiles } from './tls-files.ts';
import type { TlsConfig } from './tls-options.ts';

/** `access`: undefined while the file is invalid; every request must then be refused. `tls`: undefined if TLS is off. */
type State = Readonly<Record<'access', AccessConfig | undefined> & Record<'tls', TlsConfig | undefined>>;

/**
 * Reloads a web configuration when its files change. Each connection and request checks for changes. If a certificate or key is invalid,
 * the previous pair stays in use, because a renewal replaces the two files one by one. If the configuration file is invalid, all requests
 * are refused, because the users are unknown. If a setting that limits access disappears, for example because the file is truncated, the
 * previous settings stay in use.
 */
export class WatchedWebConfig {
  readonly path: string;
  readonly warnings: readonly string[];
  /** Called after each reload that changed the settings or their problems, with the new value of `last`. */
  onChange: (reload: ReloadResult) => void = () => {};
  last: ReloadResult | undefined;
  #state: State & { readonly problems?: string | undefined };
  #newestValid: AccessConfig;
  #tlsPaths: readonly string[];
  /** Versions of the files, determined just before the files were last read. */
  #versions: readonly (string | undefined)[] = [];

  /** Throws ConfigError with all problems. */
  constructor(path: string) {
    const { access, tls, tlsPaths, warnings } = loadWebConfig(path);
    this.path = path;
    this.warnings = warnings;
    this.#state = { access, tls };
    this.#newestValid = access;
    this.#tlsPaths = tlsPaths;
  }

  /** The current settings. `tls` is the same object until the TLS settings change. */
  get current(): State {
    this.#refresh();
    return this.#state;
  }

  /** Whether every client needs a password or a verified certificate. */
  get requiresLogin(): boolean {
    return this.#newestValid.users.size > 0 || this.#state.tls?.clientAuth === 'RequireAndVerifyClientCert';
  }

  #refresh(): void {
    const versions = [this.path, ...this.#tlsPaths].map((path) => fileVersion(path));
    // The version of a file that has just changed is undefined, because another change could get the same time stamp. Read it again.
    if (!versions.includes(undefined) && isDeepStrictEqual(versions, this.#versions)) return;
    this.#versions = versions;
    const parsed = parseWebConfig(this.path);
    const files = readTlsFiles(parsed);
    this.#tlsPaths = files.paths;
    const { tls } = this.#state;
    const invalid = [...parsed.problems, ...this.#unexpectedlyEmpty(parsed)];
    if (parsed.file === undefined || invalid.length > 0) {
      this.#apply(undefined, tls, [...invalid, ...files.problems]);
      return;
    }
    const lostUsers = this.#lostUsers(parsed.file);
    if (lostUsers.length === 0) this.#newestValid = accessOf(parsed.file);
    const tlsProblems = files.problems.length > 0 ? files.problems : this.#lostTls(parsed.file, files.config);
    this.#apply(this.#newestValid, tlsProblems.length > 0 ? tls : files.config, [...lostUsers, ...tlsProblems]);
  }

  #apply(access: State['access'], changedTls: State['tls'], problemList: readonly Problem[]): void {
    const tls = isDeepStrictEqual(changedTls, this.#state.tls) ? this.#state.tls : changedTls;
    const problems = problemList.length === 0 ? undefined : problemList.map(formatProblem).join('\n');
    const { problems: previous, ...state } = this.#state;
    if (problems === previous && isDeepStrictEqual({ access, tls }, state)) return;
    this.#state = { access, tls, problems };
    this.last = { time: Date.now(), problems };
    this.onChange(this.last);
  }

  /** Reports an empty file. An editor may empty the file for a moment, which must not switch off the login. */
  #unexpectedlyEmpty({ value, document }: ParsedWebConfig): readonly Problem[] {
    const hadSettings = this.#state.tls !== undefined || !isDeepStrictEqual(this.#newestValid, accessOf({}));
    if (!isDeepStrictEqual(value, {}) || !hadSettings) return [];
    return document.problemAt([], 'is empty; write the settings again, or restart the exporter without them');
  }

  /** Reports missing users. Only an explicit `basic_auth_users: {}` removes all users. */
  #lostUsers({ basic_auth_users: users }: WebConfigFile): readonly Problem[] {
    if (this.#newestValid.users.size === 0 || users !== undefined) return [];
    return [this.#lost('basic_auth_users', 'write "basic_auth_users: {}" if no login is needed')];
  }

  /** Reports a change that switches TLS on or off, and missing limits on clients. Only `client_auth_type: NoClientCert` removes limits. */
  #lostTls({ tls_server_config: section }: WebConfigFile, tls: State['tls']): readonly Problem[] {
    const { tls: before } = this.#state;
    if ((before === undefined) !== (tls === undefined)) {
      const message = `switches TLS ${tls === undefined ? 'off' : 'on'}, which needs a restart`;
      return [{ source: this.path, key: 'tls_server_config', message }];
    }
    if (section?.client_auth_type === 'NoClientCert') return [];
    const limits = clientLimits(tls);
    const lost = Object.entries(clientLimits(before)).filter(([key, limit]) => limit !== undefined && !limits[key]);
    return lost.map(([key]) => this.#lost(`tls_server_config.${key}`, 'restart the exporter without it'));
  }

  #lost(key: string, alternative: string): Problem {
    const message = `is missing, although this setting limited access; write it again, or ${alternative}`;
    return { source: this.path, key, message };
  }
}

/** The settings that limit client certificates, by their keys in the file. */
function clientLimits(tls: State['tls']): Readonly<Record<string, unknown>> {
  return {
    client_auth_type: tls?.clientAuth === 'NoClientCert' ? undefined : tls?.clientAuth,
    client_ca_file: tls?.options.ca,
    client_allowed_sans: tls?.clientAllowedSans,
  };
}
