/** One problem with the configuration, and what to do about it. */
export interface Problem {
  /** The file, flag or environment variable that has the problem. */
  readonly source: string;
  /** Both count from 1. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  /** Such as `accounts[0].api.timeout`. */
  readonly key?: string | undefined;
  readonly message: string;
}

/** More would scroll the first one, which is often the cause, off the screen. */
const maxPrintedProblems = 50;

/**
 * All problems of a configuration. The message has one line per problem, is ready for stderr, and contains neither
 * secrets nor values of environment variables. The program exits with code 2.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(formatProblems(problems));
    this.problems = problems;
  }
}

function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.slice(0, maxPrintedProblems).map(formatProblem);
  const rest = problems.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'error' : 'errors'}`] : [])].join('\n');
}

/** A file that cannot be written, as a problem of its path. */
export function writeError(path: string, error: unknown): ConfigError {
  const message = error instanceof Error ? error.message : String(error);
  return new ConfigError([{ source: path, message: `cannot be written: ${message}` }]);
}

/** One line: place, key, message. */
export function formatProblem(problem: Problem): string {
  return [formatPlace(problem), problem.key, problem.message]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
}

/** Orders the problems of one file from top to bottom. */
export function byPlace({ place: one }: Problem, { place: other }: Problem): number {
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

/** Such as `config.yml:3:13`. */
export function formatPlace({ source, place }: Problem): string {
  return place === undefined ? source : `${source}:${place.line}:${place.column}`;
}
