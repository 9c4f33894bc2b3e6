import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText, readYaml, repository } from '../fixtures/repository.ts';

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: Readonly<Record<string, string>>;
        readonly 'timeout-minutes': number;
        readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
      }
    >
  >;
}

const workflows = globSync('.github/workflows/*.yml', { cwd: repository });

describe.each(workflows)('%s', (path) => {
  const { permissions, jobs } = readYaml<Workflow>(path);

  it('pins every action by commit, with its version as a comment', () => {
    const uses = readText(path).match(/uses: .*/g) ?? [];

    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect(use).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$/);
  });

  it('has no permissions but those that a job names, and a time limit for each job', () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(job.permissions).toBeDefined();
      expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });
});

it('CI runs the tests as .ci/run does, and the commands of the documentation', () => {
  const { jobs } = readYaml<Workflow>('.github/workflows/ci.yml');
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

  expect(commands).toEqual(expect.arrayContaining(['.ci/run', 'npm run test:docs']));
});

it('the form for bugs asks for the output of check --json', () => {
  expect(readText('.github/ISSUE_TEMPLATE/bug.yml')).toContain('--json`');
});
