// Draws the published pictures of the dashboards and pages: npm run pictures [-- --width=1920 --output=FOLDER]

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Dashboard } from '@grafana/schema';
import { dashboards } from '../../dashboards/src/dashboards.ts';
import { type FilledPrometheus, now, startFilledPrometheus } from '../../test/dashboards/filled-prometheus.ts';
import { Chromium, type Tab } from '../../test/fixtures/chromium.ts';
import { Cleanups } from '../../test/fixtures/cleanups.ts';
import { accountProfiles } from '../../test/fixtures/dashboard-history/account-profiles.ts';
import { repository } from '../../test/fixtures/repository.ts';
import { until } from '../../test/fixtures/waiting.ts';
import { startDemoPages } from './demo-pages.ts';
import { answerTo, drawnPanels, drawnQueries, filesOf, type Picture, pages, pictures } from './pictures.ts';

const { values } = parseArgs({
  options: {
    width: { type: 'string', default: '1280' },
    output: { type: 'string', default: join(repository, 'docs/images') },
    only: { type: 'string', default: '' },
  },
});
const width = Number(values.width);
const tools = join(repository, 'node_modules/.cache/pictures');

/** Installs Grafana's components and bundles `panels.jsx` with them. */
function bundle(): void {
  mkdirSync(tools, { recursive: true });
  const source = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
  const installed = join(tools, 'installed.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== source('package.json')) {
    writeFileSync(join(tools, 'package.json'), source('package.json'));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: tools, stdio: 'inherit' });
    writeFileSync(installed, source('package.json'));
  }
  writeFileSync(join(tools, 'panels.jsx'), source('panels.jsx'));
  const options = [
    '--bundle',
    '--format=esm',
    '--jsx=automatic',
    '--outfile=panels.js',
    '--define:process.env.NODE_ENV="production"',
    '--define:global=globalThis',
    '--loader:.svg=dataurl',
    '--loader:.png=dataurl',
    '--loader:.woff2=dataurl',
    '--loader:.woff=dataurl',
    '--loader:.ttf=dataurl',
    '--log-level=error',
  ];
  execFileSync('node_modules/.bin/esbuild', ['panels.jsx', ...options], { cwd: tools, stdio: 'inherit' });
}

/** The dashboard with the answers to its queries. */
async function withAnswers(prometheus: FilledPrometheus, picture: Picture, dashboard: Dashboard) {
  const from = now - picture.hours * 3600;
  const answers = drawnPanels(dashboard).map(async (panel) => {
    const queries = drawnQueries(panel, picture).map(async (query) => ({
      ...query,
      series: await answerTo(prometheus, query, picture),
    }));
    return [panel.id, await Promise.all(queries)] as const;
  });
  return { dashboard, from, to: now, theme: picture.theme, answers: Object.fromEntries(await Promise.all(answers)) };
}

const images = join(tools, 'node_modules/@grafana/ui/dist/public/img');

/** Serves the page that draws a dashboard. */
async function serve(cleanups: Cleanups, data: () => string): Promise<string> {
  const page = '<!doctype html><link rel="stylesheet" href="/panels.css"><body style="margin: 0"><div id="root"></div>';
  const server = createServer(({ url = '/' }, response) => {
    const file = url.startsWith('/public/build/img/') ? join(images, url.slice(18)) : join(tools, url);
    const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    response.setHeader('content-type', types[url.replace(/.*\./, '')] ?? 'text/html; charset=utf-8');
    if (url === '/')
      response.end(`${page}<script>data = ${data()}</script><script type="module" src="/panels.js"></script>`);
    else if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.add(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

/** Pixels of the title, and of a unit of Grafana's grid. */
const titleHeight = 40;
const gridHeight = 38;

async function drawDashboards(cleanups: Cleanups, tab: Tab): Promise<void> {
  bundle();
  const prometheus = await startFilledPrometheus(cleanups, { accounts: accountProfiles, now, days: 15, step: 900 });
  let data = '';
  const url = await serve(cleanups, () => data);
  for (const picture of pictures.filter(({ file }) => file.startsWith(values.only))) {
    const dashboard = dashboards().find(({ uid }) => uid === picture.uid);
    if (dashboard === undefined) throw new Error(`No dashboard ${picture.uid}`);
    data = JSON.stringify(await withAnswers(prometheus, picture, dashboard)).replaceAll('<', '\\u003c');
    const bottom = Math.max(...(dashboard.panels ?? []).map(({ gridPos }) => (gridPos?.y ?? 0) + (gridPos?.h ?? 0)));
    await tab.appear({ width, height: titleHeight + bottom * gridHeight });
    await tab.goTo(url);
    const file = join(values.output, `${picture.file}.png`);
    let last = '';
    // Grafana draws some parts later than others.
    await until('the picture no longer changes', async () => {
      const hasTables = await tab.evaluate<boolean>('areTablesDrawn()');
      await pause(1500);
      // A picture beyond the viewport would resize the tables while it is taken.
      await tab.picture(file, { full: false });
      const before = last;
      last = readFileSync(file, 'base64');
      return hasTables && last === before;
    });
  }
}

async function drawPages(cleanups: Cleanups, tab: Tab): Promise<void> {
  const url = await startDemoPages(cleanups);
  for (const [page, path, pageWidth, height] of pages.filter(([name]) => name.startsWith(values.only))) {
    for (const { language, file } of filesOf(page)) {
      await tab.appear({ width: pageWidth, height, dark: page === 'pages-narrow' });
      await tab.goTo(`${url}/${path}?lang=${language}`);
      await tab.picture(join(values.output, `${file}.png`), { full: false });
    }
  }
}

const cleanups = new Cleanups();
try {
  mkdirSync(values.output, { recursive: true });
  const tab = await (await Chromium.start(cleanups)).open();
  await drawDashboards(cleanups, tab);
  await drawPages(cleanups, tab);
} finally {
  await cleanups.end();
}
