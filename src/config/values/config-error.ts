import { quote } from './wording.ts';

export interface Problem {
  /** The name of a file, flag or environment variable. */
  readonly source: string;
  /** Line and column, counted from 1. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  readonly key?: string | undefined;
  readonly message: string;
}

/** Maximum number of printed problems. A longer list would hide the first problem, which often causes the others. */
const maxPrintedProblems = 50;

/** All problems of a configuration. The message has one line per problem, without secrets or values of variables. The exit code is 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.slice(0, maxPrintedProblems).map(formatProblem);
    const rest = problems.length - lines.length;
    if (rest > 0) lines.push(`and ${rest} more ${rest === 1 ? 'error' : 'errors'}`);
    super(lines.join('\n'));
    this.problems = problems;
  }
}

export function writeError(path: string, error: unknown): ConfigError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = writeFailures[code];
  const reason = advice === undefined ? message : `${code}: ${advice}`;
  return new ConfigError([{ source: path, message: `cannot be written: ${reason}` }]);
}

const writeFailures: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist; create it, or correct the path',
  EACCES: 'this user may not write there; correct the owner or mode',
  ENOSPC: 'the disk is full; free space',
  EPIPE: 'the program that reads it has ended; run it again',
};

export function formatProblem(problem: Problem): string {
  return [formatPlace(problem), problem.key, problem.message].filter(Boolean).join(': ');
}

export function byPlace({ place: one }: Problem, { place: other }: Problem): number {
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

export function formatPlace({ source, place }: Problem): string {
  return place === undefined ? source : `${source}:${place.line}:${place.column}`;
}

/** The keys from the top of the configuration to a value, as in the paths of zod's issues. */
export type KeyPath = readonly PropertyKey[];

/** Formats the path for messages, such as `accounts[0].api.timeout`. */
export function formatKeyPath(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(String(part))) text += text === '' ? String(part) : `.${String(part)}`;
    else text += `[${quote(String(part))}]`;
  }
  return text;
}
