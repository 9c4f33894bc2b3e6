import { formatProblem, type Problem } from '../../config/values/config-error.ts';
import { fileVersion } from '../../config/values/file-version.ts';
import { type AccessConfig, accessOf, type LoadedWebConfig, type ParsedWebConfig, parseWebConfig } from './load.ts';
import { readTlsFiles } from './tls-files.ts';
import type { TlsConfig } from './tls-options.ts';

/** Called once for each change of the files: either `onReload` or `onFailure`. */
export interface WebConfigObserver {
  readonly onReload: () => void;
  /** `problems`: one problem per line, for a log message. */
  readonly onFailure: (problems: string) => void;
}

/**
 * A web configuration that is reloaded when its files change. Each connection and request checks for changes. If a certificate or
 * key is invalid, the previous ones stay in use, because a renewal replaces two files one after the other. If the web configuration
 * file is invalid, all access ends, because the file no longer defines the users.
 */
export class WatchedWebConfig {
  readonly path: string;
  readonly #observer: WebConfigObserver;
  #access: AccessConfig | undefined;
  #tls: TlsConfig | undefined;
  #tlsPaths: readonly string[];
  /** Versions of the files at the newest reading. Undefined if the next use must read them again. */
  #versions: string | undefined;
  #seen: string;

  constructor(path: string, { access, tls, tlsPaths }: LoadedWebConfig, observer: WebConfigObserver) {
    this.path = path;
    this.#observer = observer;
    this.#access = access;
    this.#tls = tls;
    this.#tlsPaths = tlsPaths;
    this.#seen = describe(access, tls, []);
  }

  /** Undefined while the file is invalid, so that every request must be refused. */
  get access(): AccessConfig | undefined {
    this.#refresh();
    return this.#access;
  }

  /** Returns the current TLS configuration, which is the same object until it changes; undefined if TLS was off at start. */
  get currentTls(): (() => TlsConfig) | undefined {
    const initial = this.#tls;
    if (initial === undefined) return undefined;
    return () => {
      this.#refresh();
      return this.#tls ?? initial;
    };
  }

  #refresh(): void {
    const versions = this.#currentVersions();
    if (versions !== undefined && versions === this.#versions) return;
    const parsed = parseWebConfig(this.path);
    const files = readTlsFiles(parsed);
    this.#tlsPaths = files.paths;
    // These versions were determined before reading, so that the next use notices a write during the reading.
    this.#versions = versions;
    const accessProblems = [...parsed.problems, ...this.#unexpectedlyEmpty(parsed)];
    const access = parsed.file === undefined || accessProblems.length > 0 ? undefined : accessOf(parsed.file);
    const isRead = access !== undefined && files.problems.length === 0;
    const tlsProblems = isRead ? this.#switched(files.config) : files.problems;
    const isTlsValid = isRead && tlsProblems.length === 0;
    this.#apply(access, isTlsValid ? files.config : this.#tls, [...accessProblems, ...tlsProblems]);
  }

  #apply(access: AccessConfig | undefined, tls: TlsConfig | undefined, problems: readonly Problem[]): void {
    const seen = describe(access, tls, problems);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#access = access;
    if (JSON.stringify(tls) !== JSON.stringify(this.#tls)) this.#tls = tls;
    if (problems.length === 0) this.#observer.onReload();
    else this.#observer.onFailure(problems.map(formatProblem).join('\n'));
  }

  #currentVersions(): string | undefined {
    const versions = [this.path, ...this.#tlsPaths].map(fileVersion);
    return versions.includes(undefined) ? undefined : JSON.stringify(versions);
  }

  /** Reports an empty file. An editor may empty it for a moment, which must not remove the login. */
  #unexpectedlyEmpty({ value, document }: ParsedWebConfig): readonly Problem[] {
    const isEmpty = JSON.stringify(value) === '{}';
    return isEmpty && this.#seen !== describe(open, undefined, [])
      ? document.problemAt([], 'is empty; write the settings again, or restart the exporter without them')
      : [];
  }

  #switched(tls: TlsConfig | undefined): readonly Problem[] {
    if ((tls === undefined) === (this.#tls === undefined)) return [];
    const message = `switches TLS ${tls === undefined ? 'off' : 'on'}, which needs a restart`;
    return [{ source: this.path, key: 'tls_server_config', message }];
  }
}

/** The settings of an empty file: access without a login. */
const open = accessOf({});

function describe(access: AccessConfig | undefined, tls: TlsConfig | undefined, problems: readonly Problem[]): string {
  const users = access === undefined ? undefined : [...access.users];
  return JSON.stringify([access, users, tls, problems.map(formatProblem)]);
}
