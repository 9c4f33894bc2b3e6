import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText, readYaml, repository } from '../fixtures/repository.ts';

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly environment?: string;
        readonly permissions: Readonly<Record<string, string>>;
        readonly 'timeout-minutes': number;
        readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
        readonly steps: readonly {
          readonly run?: string;
        }[];
      }
    >
  >;
}

const release = '.github/workflows/release.yml';

const publishesImages = { contents: 'read', packages: 'write', 'id-token': 'write' };

/** The jobs of the release that may do more than read the sources. */
const granted: Readonly<Record<string, object>> = {
  npm: { 'id-token': 'write' },
  image: publishesImages,
  chart: publishesImages,
  notes: { contents: 'write' },
};

const workflows = globSync('.github/workflows/*.yml', { cwd: repository });

describe.each(workflows)('%s', (path) => {
  const { permissions, jobs } = readYaml<Workflow>(path);

  it('pins every action by commit, with its version as a comment', () => {
    const uses = readText(path).match(/uses: .*/g) ?? [];

    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect(use).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$/);
  });

  it('gives each job only the permissions that the job names, and a time limit', () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      expect(job.permissions, name).toEqual((path === release && granted[name]) || { contents: 'read' });
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    }
  });
});

it('CI runs the tests of the core and the tarball with every supported major version of Node.js', () => {
  const { jobs } = readYaml<Workflow>('.github/workflows/ci.yml');
  const { node } = jobs['node']?.strategy?.matrix ?? {};
  const commands = jobs['node']?.steps.map(({ run }) => run);

  expect(node).toEqual(['22.19', '24', '26']);
  expect(commands).toContain(
    'node node_modules/vitest/vitest.mjs run test/api test/collectors test/config test/payloads test/polling test/store',
  );
  expect(readYaml<{ readonly engines: unknown }>('package.json').engines).toEqual({ node: '^22.19 || >=24' });
});

it('the release lets only jobs with an approval get a token that publishes', () => {
  const { jobs } = readYaml<Workflow>(release);
  const publishing = Object.entries(jobs).filter(
    ([, { permissions }]) => permissions['id-token'] === 'write' || permissions['packages'] === 'write',
  );

  expect(publishing.map(([name]) => name)).toEqual(expect.arrayContaining(['npm', 'image', 'chart']));
  for (const [, { environment }] of publishing) expect(environment).toBe('release');
});
