import { formatProblem, type Problem } from '../../config/values/config-error.ts';
import { fileVersion } from '../../config/values/file-version.ts';
import { type AccessConfig, accessOf, type LoadedWebConfig, type ParsedWebConfig, parseWebConfig } from './load.ts';
import type { WebConfigFile } from './schema.ts';
import { readTlsFiles } from './tls-files.ts';
import type { TlsConfig } from './tls-options.ts';

/** Called once for each change of the files. `problems`: one problem per line; undefined if the change is applied. */
export type WebConfigObserver = (problems: string | undefined) => void;

/**
 * Reloads a web configuration when its files change. Each connection and request checks for changes. If a certificate or key is invalid,
 * the previous pair stays in use, because a renewal replaces the two files one by one. If the configuration file is invalid, all requests
 * are refused, because the users are unknown. If a setting that limits access disappears, for example because the file is truncated, the
 * previous settings stay in use.
 */
export class WatchedWebConfig {
  readonly path: string;
  readonly #observer: WebConfigObserver;
  #access: AccessConfig | undefined;
  #newestValid: AccessConfig;
  #tls: TlsConfig | undefined;
  #tlsPaths: readonly string[];
  /** Versions of the files at the newest reading; undefined if the files must be read again. */
  #versions: string | undefined;
  #seen: string;

  constructor(path: string, { access, tls, tlsPaths }: LoadedWebConfig, observer: WebConfigObserver) {
    this.path = path;
    this.#observer = observer;
    this.#access = access;
    this.#newestValid = access;
    this.#tls = tls;
    this.#tlsPaths = tlsPaths;
    this.#seen = describe(access, tls, []);
  }

  /** Undefined while the file is invalid. In this state, every request must be refused. */
  get access(): AccessConfig | undefined {
    this.#refresh();
    return this.#access;
  }

  /** Returns the current TLS configuration. A change creates a new object. Undefined if TLS was off at the start. */
  get currentTls(): (() => TlsConfig) | undefined {
    const initial = this.#tls;
    if (initial === undefined) return undefined;
    return () => {
      this.#refresh();
      return this.#tls ?? initial;
    };
  }

  #refresh(): void {
    const each = [this.path, ...this.#tlsPaths].map(fileVersion);
    const versions = each.includes(undefined) ? undefined : JSON.stringify(each);
    if (versions !== undefined && versions === this.#versions) return;
    const parsed = parseWebConfig(this.path);
    const files = readTlsFiles(parsed);
    this.#tlsPaths = files.paths;
    // These versions are from before the reading, so if a file changed during the reading, the next use reads it again.
    this.#versions = versions;
    const invalid = [...parsed.problems, ...this.#unexpectedlyEmpty(parsed)];
    const { file } = parsed;
    if (file === undefined || invalid.length > 0) {
      this.#apply(undefined, this.#tls, [...invalid, ...files.problems]);
      return;
    }
    const lostUsers = this.#lostUsers(file);
    if (lostUsers.length === 0) this.#newestValid = accessOf(file);
    const tlsProblems =
      files.problems.length > 0
        ? files.problems
        : [...this.#switched(files.config), ...this.#lostClientLimits(file, files.config)];
    this.#apply(this.#newestValid, tlsProblems.length === 0 ? files.config : this.#tls, [...lostUsers, ...tlsProblems]);
  }

  #apply(access: AccessConfig | undefined, tls: TlsConfig | undefined, problems: readonly Problem[]): void {
    const seen = describe(access, tls, problems);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#access = access;
    if (JSON.stringify(tls) !== JSON.stringify(this.#tls)) this.#tls = tls;
    this.#observer(problems.length === 0 ? undefined : problems.map(formatProblem).join('\n'));
  }

  /** Reports an empty file. An editor may empty the file for a moment, which must not switch off the login. */
  #unexpectedlyEmpty({ value, document }: ParsedWebConfig): readonly Problem[] {
    const isEmpty = JSON.stringify(value) === '{}';
    return isEmpty && this.#seen !== describe(open, undefined, [])
      ? document.problemAt([], 'is empty; write the settings again, or restart the exporter without them')
      : [];
  }

  /** Reports missing users. Only an explicit `basic_auth_users: {}` removes all users. */
  #lostUsers({ basic_auth_users: users }: WebConfigFile): readonly Problem[] {
    if (this.#newestValid.users.size === 0 || users !== undefined) return [];
    return [this.#lost('basic_auth_users', 'write "basic_auth_users: {}" if no login is needed')];
  }

  /** Reports client limits that the file no longer contains. Only an explicit `client_auth_type: NoClientCert` removes all limits. */
  #lostClientLimits({ tls_server_config: section }: WebConfigFile, tls: TlsConfig | undefined): readonly Problem[] {
    const before = this.#tls;
    if (before === undefined || tls === undefined || section?.client_auth_type === 'NoClientCert') return [];
    return clientLimits
      .filter(([name]) => isSet(before[name]) && !isSet(tls[name]))
      .map(([, key]) => this.#lost(`tls_server_config.${key}`, 'restart the exporter without it'));
  }

  #lost(key: string, alternative: string): Problem {
    const message = `is missing, although this setting limited access; write it again, or ${alternative}`;
    return { source: this.path, key, message };
  }

  #switched(tls: TlsConfig | undefined): readonly Problem[] {
    if ((tls === undefined) === (this.#tls === undefined)) return [];
    const message = `switches TLS ${tls === undefined ? 'off' : 'on'}, which needs a restart`;
    return [{ source: this.path, key: 'tls_server_config', message }];
  }
}

/** The settings that limit client certificates, with their keys in the file. */
const clientLimits = [
  ['clientAuth', 'client_auth_type'],
  ['clientCa', 'client_ca_file'],
  ['clientAllowedSans', 'client_allowed_sans'],
] as const;

function isSet(value: unknown): boolean {
  return value !== undefined && value !== 'NoClientCert';
}

/** The settings of an empty file: access without a login. */
const open = accessOf({});

function describe(access: AccessConfig | undefined, tls: TlsConfig | undefined, problems: readonly Problem[]): string {
  const users = access === undefined ? undefined : [...access.users];
  return JSON.stringify([access, users, tls, problems.map(formatProblem)]);
}
