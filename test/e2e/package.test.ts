import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { listening } from '../fixtures/program.ts';
import { lockedVersions, packTarball, versionsIn } from '../fixtures/tarball.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

/** Files that users need: the program with its dependencies, alert rules, dashboards, examples and documents. */
const needed = [
  /^(?:package\.json|README(?:\.ru)?\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY\.md)$/,
  /^dist\/(?:revision|sbom\.cdx\.json)$/,
  /^dist\/(?:[a-z-]+\/)*[a-z-]+\.js$/,
  /^dist\/src\/pages\/(?:page\.(?:css|png)|messages\.ru\.json)$/,
  /^node_modules\//,
  /^alerts\/(?:(?:tests\/)?[a-z.-]+\.yml|templates\/[a-z.-]+\.tmpl)$/,
  /^dashboards\/[a-z-]+\.json$/,
  /^deploy\/prometheus\/(?:[a-z-]+\/)*[a-z-]+\.yml$/,
  /^deploy\/systemd\/(?:hosting-account-exporter\.(?:service|socket)|hosting-account-report(?:-mail)?\.(?:service|timer)|socket\.conf)$/,
  /^deploy\/(?:completion\.(?:fish|sh)|zabbix\/hosting-accounts\.yaml)$/,
  /^docs\/(?:runbooks\/|project\/)?(?:ru\/)?[A-Za-z-]+\.md$/,
  /^docs\/(?:[a-z]+\.schema|compatibility)\.json$/,
];

interface Sbom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

const cleanups = new Cleanups();
let files: readonly string[];
/** The folder of the unpacked tarball. */
let program: string;
/** Bytes of the tarball. */
let size: number;

beforeAll(() => {
  const tarball = packTarball(cleanups);
  size = statSync(tarball).size;
  program = temporaryFolder(cleanups);
  // packaging/try-tarball.sh installs the tarball with npm, which takes much longer.
  execFileSync('tar', ['--extract', '--gzip', '--strip-components=1', `--directory=${program}`, `--file=${tarball}`]);
  files = globSync('**', { cwd: program, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(program, join(entry.parentPath, entry.name)));
});

afterAll(cleanups.end);

it('contains what users need, and nothing else', () => {
  const unneeded = files.filter((file) => !needed.some((pattern) => pattern.test(file)));

  expect(unneeded).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY.md', 'dist/main.js', 'dist/revision'],
      ...[
        'dist/sbom.cdx.json',
        'deploy/systemd/hosting-account-exporter.service',
        'deploy/prometheus/examples/single.yml',
      ],
      ...['docs/configuration.schema.json', 'docs/account.schema.json', 'docs/runbooks/HostingExporterDown.md'],
      ...['README.ru.md', 'docs/ru/getting-started.md', 'docs/runbooks/ru/HostingExporterDown.md'],
    ]),
  );
});

it('has less than 4 MB, without types, source maps and tests of the dependencies', () => {
  expect(size).toBeLessThan(4_000_000);
  expect(files.filter((file) => /\.(?:[cm]?ts|map)$|^node_modules\/.*\/tests?\//.test(file))).toEqual([]);
});

it('links only to files that it contains', () => {
  const links = files
    .filter((file) => file.endsWith('.md') && !file.startsWith('node_modules/'))
    .flatMap((file) =>
      [...readFileSync(join(program, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
        ([, target = '']) => {
          return join(dirname(file), target);
        },
      ),
    );

  expect(links.length).toBeGreaterThan(100);
  expect([...new Set(links)].filter((link) => !existsSync(join(program, link)))).toEqual([]);
});

it('contains the licence of every dependency', () => {
  const thirdParty = readFileSync(join(program, 'THIRD-PARTY.md'), 'utf8');

  const missing = Object.keys(lockedVersions()).filter((path) => {
    const hasFile = readdirSync(join(program, path)).some((name) => /^licen[cs]e/i.test(name));
    return !hasFile && !thirdParty.includes(`\n## ${path.replace(/^.*node_modules\//, '')}\n`);
  });
  expect(missing).toEqual([]);
});

it('contains the locked version of every dependency', () => {
  const locked = lockedVersions();

  expect(versionsIn(program, Object.keys(locked))).toEqual(locked);
});

it('lists every dependency in the SBOM', () => {
  const { components, metadata } = JSON.parse(readFileSync(join(program, 'dist/sbom.cdx.json'), 'utf8')) as Sbom;

  const expected = Object.entries(lockedVersions()).map(([path, version]) => {
    return `${path.replace(/^.*node_modules\//, '')}@${version}`;
  });
  expect(metadata.component.name).toBe('hosting-account-exporter');
  expect(components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(expected.toSorted());
});

it('runs the demo', async () => {
  const argv = [join(program, 'dist/main.js'), 'demo', '--web.listen-address=127.0.0.1:0'];
  const demo = new Process(cleanups, process.execPath, argv, { folder: program });
  const exporter = await listening(demo);

  await until('the first values', async () => (await exporter.page()).includes('hosting_account_disk_usage_bytes{'));

  expect(await demo.stop()).toEqual({ code: 0, signal: null });
});
