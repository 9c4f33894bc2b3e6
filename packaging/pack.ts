// Packs the tarball that users install: the tarball of npm without files that the program does not use. Prints the name of the tarball.
//
//   node packaging/pack.ts [--destination=FOLDER] [--ignore-scripts]

import { execFileSync } from 'node:child_process';
import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { destination: { type: 'string', default: '.' }, 'ignore-scripts': { type: 'boolean', default: false } },
});

/**
 * Lists the bundled packages, because Yarn 1 does not support `bundleDependencies: true`. Omits keys that only a checkout requires.
 */
function packedManifest(text: string): string {
  const { scripts: _scripts, devDependencies: _dev, allowScripts: _allow, ...manifest } = JSON.parse(text);
  const { dependencies }: Manifest = manifest;
  return `${JSON.stringify({ ...manifest, bundleDependencies: Object.keys(dependencies) }, null, 2)}\n`;
}

/** Replaces links to files that the tarball does not contain with links to the forge. `path`: path of the document from the root. */
function packedLinks(text: string, path: string, contained: ReadonlySet<string>, address: string): string {
  return text.replaceAll(
    /(?<image>!?)\[(?<text>[^\]]*)\]\((?!https?:|#|mailto:)(?<target>[^)#\s]+)(?<anchor>#[^)\s]*)?\)/g,
    (...args) => {
      const { image, text: label, target, anchor = '' } = args.at(-1) as Record<string, string>;
      const file = relative(root, resolve(root, path, '..', target ?? ''));
      if (contained.has(file)) return args[0];
      return `${image}[${label}](${address.replace('KIND', image === '!' ? 'raw' : 'blob')}/${file}${anchor})`;
    },
  );
}

if (lstatSync(join(root, 'node_modules')).isSymbolicLink()) {
  throw new Error(
    'node_modules is a link, so npm would omit packages from the tarball: replace the link, and run npm ci',
  );
}

const temporary = mkdtempSync(join(tmpdir(), 'exporter-pack-'));
try {
  const scripts = values['ignore-scripts'] ? ['--ignore-scripts'] : [];
  // Write the output of the scripts to stderr, because stdout must contain only the name.
  execFileSync(
    'npm',
    ['pack', ...scripts, '--silent', '--foreground-scripts=false', `--pack-destination=${temporary}`],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [tarball = ''] = globSync('*.tgz', { cwd: temporary });
  execFileSync('tar', ['--extract', '--gzip', `--file=${tarball}`], { cwd: temporary });

  const folder = join(temporary, 'package');
  execFileSync('sh', [join(root, 'packaging/strip-modules.sh'), join(folder, 'node_modules')]);
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), packedManifest(manifest));
  const { homepage, version }: Manifest = JSON.parse(manifest);
  const address = `${homepage.replace(/#.*$/, '')}/KIND/v${version}`;
  const contained = new Set(globSync('**', { cwd: folder, exclude: ['node_modules'] }));
  for (const path of [...contained].filter((name) => name.endsWith('.md'))) {
    const file = join(folder, path);
    writeFileSync(file, packedLinks(readFileSync(file, 'utf8'), path, contained, address));
  }

  const packed = resolve(values.destination, tarball);
  const constant = [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
  ];
  execFileSync(
    'tar',
    ['--create', ...constant, '--use-compress-program=gzip --best --no-name', `--file=${packed}`, 'package'],
    {
      cwd: temporary,
    },
  );
  process.stdout.write(`${relative('.', packed)}\n`);
} finally {
  rmSync(temporary, { recursive: true });
}
