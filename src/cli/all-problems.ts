import { ConfigError } from '../config/config-error.ts';

/** Waits for both, so that the problems of two files are reported together. Rejects with the first error of another kind. */
export async function allOrProblems<One, Other>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  const errors = (await Promise.allSettled([one, other])).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const bug = errors.find((error) => !(error instanceof ConfigError));
  if (bug !== undefined) throw bug;
  const problems = errors.flatMap((error) => (error instanceof ConfigError ? error.problems : []));
  if (problems.length > 0) throw new ConfigError(problems);
  return [await one, await other];
}
