import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { readText } from '../../fixtures/repository.ts';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The instructions of a Dockerfile, without comments and with continued lines joined. */
function readInstructions(text: string): readonly Instruction[] {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', value = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return { name, value };
    });
}

function readStages(text: string): readonly Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of readInstructions(text)) {
    if (instruction.name === 'FROM') {
      const [base = '', , name] = instruction.value.replace(/^--platform=\S+ /, '').split(' ');
      stages.push({ base, name, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push(instruction);
    }
  }
  return stages;
}

const text = readText('Dockerfile');
const stages = readStages(text);
const build = stages.find(({ name }) => name === 'build');
const last = stages.at(-1);

function valuesOf(stage: Stage | undefined, name: string): readonly string[] {
  return (stage?.instructions ?? []).filter((one) => one.name === name).map(({ value }) => value);
}

describe('Dockerfile', () => {
  it('names one base image with an exact version in one place, where its digest belongs', () => {
    const names = stages.flatMap(({ name }) => name ?? []);
    const bases = stages.map(({ base }) => base).filter((base) => !names.includes(base));
    const [, image = ''] = /^ARG BASE=(\S+)$/m.exec(text) ?? [];
    const [tag = '', ...digest] = image.split('@');

    expect(new Set(bases)).toEqual(new Set(['$BASE', 'scratch']));
    expect(tag).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    expect(digest.join('@')).toMatch(/^(sha256:[\da-f]{64})?$/);
    expect(valuesOf(last, 'LABEL').join()).toContain(`image.base.name="docker.io/library/${tag}"`);
    expect(text.match(/sha256:[\da-f]{64}/g) ?? []).toHaveLength(digest.length);
  });

  it('uses the Node.js version of the tests', () => {
    const [, version] = /^ARG BASE=node:([\d.]+)-/m.exec(text) ?? [];

    expect(version).toBe(packageJson.devDependencies.node);
  });

  it('runs as a numeric user other than root', () => {
    expect(valuesOf(last, 'USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });

  it('starts node directly, so that it receives the signals', () => {
    const [entrypoint = ''] = valuesOf(last, 'ENTRYPOINT');
    const [healthcheck = ''] = valuesOf(last, 'HEALTHCHECK');

    expect(JSON.parse(entrypoint)).toEqual(['node', '/app/dist/main.js']);
    expect(JSON.parse(healthcheck.slice(healthcheck.indexOf('[')))).toEqual(['node', '/app/dist/main.js', 'healthy']);
    expect(valuesOf(last, 'CMD')).toEqual([]);
    expect(valuesOf(last, 'STOPSIGNAL')).toEqual([]);
  });

  it('copies only the files of the program into the image', () => {
    const root = stages.find(({ name }) => name === 'root');
    const [ofBase, ...ofBuild] = valuesOf(root, 'COPY');
    const copies = ofBuild.flatMap((value) => value.match(/(?<= \/app\/)\S+/g) ?? []);

    expect(ofBase).toBe('--from=base / /image');
    expect(copies).toEqual(['package.json', 'LICENSE', 'THIRD-PARTY.md', 'node_modules', 'dist', 'docs', 'alerts']);
    expect(valuesOf(last, 'COPY')).toEqual(['--from=root /image /']);
    expect(stages.flatMap((stage) => valuesOf(stage, 'ADD'))).toEqual([]);
  });

  it('installs from the lock file without running scripts of dependencies', () => {
    const installs = valuesOf(build, 'RUN').filter((value) => /npm (ci|install|prune)/.test(value));

    expect(installs).toHaveLength(2);
    expect(installs[0]).toContain('npm ci --ignore-scripts');
    expect(installs[1]).toContain('npm prune --omit=dev --ignore-scripts');
  });

  it('has no arguments or variables for secrets, because an image stores them', () => {
    const declared = stages.flatMap((stage) => [...valuesOf(stage, 'ARG'), ...valuesOf(stage, 'ENV')]);
    const names = declared.flatMap((value) => value.match(/\b[A-Z_]+(?==)/g) ?? []);

    expect(new Set(names)).toEqual(
      new Set(['PATH', 'NODE_ENV', 'VERSION', 'REVISION', 'CREATED', 'SOURCE_DATE_EPOCH']),
    );
  });
});

describe('.dockerignore', () => {
  it('allows exactly the files that the build copies', () => {
    const lines = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const copied = valuesOf(build, 'COPY').flatMap((value) => value.split(' ').slice(0, -1));

    expect(lines[0]).toBe('*');
    expect(lines.slice(1)).toEqual(copied.map((file) => `!${file}`));
  });
});
