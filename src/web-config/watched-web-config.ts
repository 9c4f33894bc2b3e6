import { formatProblem, type Problem } from '../config/config-error.ts';
import { fileVersion } from './file-version.ts';
import { accessOf, type LoadedWebConfig, type ParsedWebConfig, parseWebConfig } from './load.ts';
import { readTlsFiles } from './tls-files.ts';
import type { AccessConfig, TlsConfig } from './web-config.ts';

/** Called once per change, not once per request. */
export interface WebConfigObserver {
  readonly onReload: () => void;
  /** The problems are ready for a log line. */
  readonly onFailure: (problems: string) => void;
}

/**
 * A web configuration that follows its files. Each use looks for changes, so that a change takes effect with the next
 * connection or request. An invalid certificate or key leaves the previous ones in use: a renewal replaces two files, one
 * after the other. An invalid web configuration file leaves no access, because it no longer says who has it.
 */
export class WatchedWebConfig {
  readonly path: string;
  readonly #observer: WebConfigObserver;
  readonly #hasTls: boolean;
  #access: AccessConfig | undefined;
  #tls: TlsConfig | undefined;
  #tlsPaths: readonly string[];
  /** Undefined while a file may change again unnoticed. */
  #versions: string | undefined;
  #seen: string;

  constructor(path: string, { access, tls, tlsPaths }: LoadedWebConfig, observer: WebConfigObserver) {
    this.path = path;
    this.#observer = observer;
    this.#hasTls = tls !== undefined;
    this.#access = access;
    this.#tls = tls;
    this.#tlsPaths = tlsPaths;
    this.#seen = describe(access, tls, []);
  }

  /** Undefined while the file is invalid: every request must be refused. */
  get access(): AccessConfig | undefined {
    this.#refresh();
    return this.#access;
  }

  /** Returns the same object until something changes. Undefined if TLS was off at start. */
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
    // The version of before, so that a file that is written meanwhile is read again.
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

  /** A file that is being rewritten is empty for a moment, in which it must not open the server to everybody. */
  #unexpectedlyEmpty({ value, document }: ParsedWebConfig): readonly Problem[] {
    const isEmpty = JSON.stringify(value) === '{}';
    return isEmpty && this.#seen !== describe(open, undefined, [])
      ? document.problemAt([], 'is empty; write the settings again, or restart the exporter without them')
      : [];
  }

  #switched(tls: TlsConfig | undefined): readonly Problem[] {
    if ((tls !== undefined) === this.#hasTls) return [];
    const message = `switches TLS ${this.#hasTls ? 'off' : 'on'}, which needs a restart`;
    return [{ source: this.path, key: 'tls_server_config', message }];
  }
}

/** What an empty file means. */
const open: AccessConfig = { users: new Map(), headers: {}, rateLimit: undefined };

function describe(access: AccessConfig | undefined, tls: TlsConfig | undefined, problems: readonly Problem[]): string {
  const users = access === undefined ? undefined : [...access.users];
  return JSON.stringify([access, users, tls, problems.map(formatProblem)]);
}
