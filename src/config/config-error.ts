/** One thing that is wrong with the configuration, and what to do about it. */
export interface Problem {
  /** The file, flag or environment variable that is wrong. */
  readonly source: string;
  /** Both count from 1. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  /** As `accounts[0].api.timeout`. */
  readonly key?: string | undefined;
  readonly message: string;
}

/**
 * Everything that is wrong with the configuration at once. The message has a line for each problem, is fit for stderr
 * as it is, and holds neither secrets nor values of environment variables. It ends the program with exit code 2.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

/** What the system said when a file was to be written, as a mistake in its path. */
export function unwritable(path: string, error: unknown): ConfigError {
  const message = error instanceof Error ? error.message : String(error);
  return new ConfigError([{ source: path, message: `can't be written: ${message}` }]);
}

/** One line: where, which key, what is wrong and what to do. */
export function formatProblem(problem: Problem): string {
  return [formatPlace(problem), problem.key, problem.message]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
}

/** Orders the problems of one file from top to bottom. */
export function byPlace({ place: one }: Problem, { place: other }: Problem): number {
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

/** As `config.yml:3:13`. */
export function formatPlace({ source, place }: Problem): string {
  return place === undefined ? source : `${source}:${place.line}:${place.column}`;
}
