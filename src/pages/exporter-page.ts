import { html, type SafeHtml } from '@remix-run/html-template';
import type { ReloadResult } from '../config/reload.ts';
import type { Account } from '../polling/account.ts';
import type { Build } from '../store/process-metrics.ts';
import { ago, type Content, column, numeric, quiet, table, tile, timeElement } from './components.ts';
import { linkToAccount, type PageContext } from './context.ts';
import { layout } from './layout.ts';

/** The part of the view that the caller provides. Times are in Unix milliseconds. */
interface FixedView {
  readonly build: Build;
  readonly started: number;
  /** Path of the configuration file; undefined if environment variables configure the exporter. */
  readonly configFile: string | undefined;
  readonly lastReload: ReloadResult | undefined;
  /** The web configuration file and its newest reload; undefined without a web configuration file. */
  readonly webConfig: { readonly file: string; readonly lastReload: ReloadResult | undefined } | undefined;
}

/** The state of the exporter. Sizes are in bytes. Accounts with the longest queues come first. */
export type ExporterView = ReturnType<typeof viewExporter>;

export function viewExporter(accounts: readonly Account[], fixed: FixedView) {
  const { rss, heapUsed } = process.memoryUsage();
  const budgets = accounts.map(({ name, load, stretch, session: { budget } }) => {
    return { name, load, queueLength: budget.queueLength, pauseRemaining: budget.pauseRemaining, stretch };
  });
  const share = ({ load }: Pick<Account, 'load'>) => load.callsPerMinute / load.budget;
  // Sort by the length of the queue, then by the share of the budget that polls require.
  budgets.sort((a, b) => b.queueLength - a.queueLength || share(b) - share(a));
  return {
    ...fixed,
    memory: { resident: rss, heap: heapUsed },
    accounts: accounts.length,
    budgets: budgets.slice(0, 20),
  };
}

export function exporterPage(context: PageContext, exporter: ExporterView): string {
  const { texts } = context;
  return layout(context, texts.exporter, [
    html`<h1>${texts.exporter}</h1>`,
    tiles(context, exporter),
    configuration(context, exporter),
    budgets(context, exporter),
  ]);
}

function tiles(context: PageContext, { build, started, memory, accounts }: ExporterView): SafeHtml {
  const { texts, format, now } = context;
  const revision = build.revision === 'unknown' ? '' : `${build.revision}, `;
  const uptime = timeElement(context, started, format.duration(now - started));
  return html`<dl class="tiles">
${[
  tile(texts.version, build.version, 'ok', `${revision}Node.js ${build.nodeVersion}`),
  tile(texts.uptime, uptime, 'ok', `${texts.started}: ${format.minute(started)}`),
  tile(texts.accounts, format.number(accounts)),
  tile(texts.residentMemory, format.bytes(memory.resident), 'ok', `${texts.heap}: ${format.bytes(memory.heap)}`),
]}</dl>
`;
}

function configuration(context: PageContext, { configFile, lastReload, webConfig }: ExporterView): SafeHtml {
  const { texts } = context;
  return html`<section class="card" aria-labelledby="configuration"><h2 id="configuration">${texts.configuration}</h2>
<p>${texts.configurationFile}: ${configFile === undefined ? texts.environment : html`<code>${configFile}</code>`} · <a href="${context.linkPrefix}/-/config">${texts.configurationInUse}</a></p>
${reload(context, lastReload)}
${
  webConfig === undefined
    ? ''
    : html`<p>${texts.webConfigurationFile}: <code>${webConfig.file}</code></p>
${reload(context, webConfig.lastReload)}`
}</section>
`;
}

function reload(context: PageContext, last: ExporterView['lastReload']): SafeHtml {
  const { texts } = context;
  if (last === undefined) return html`<p>${texts.reload}: ${quiet(texts.loadedAtStart)}</p>`;
  const { time, problems } = last;
  if (problems === undefined) return html`<p>${texts.reload}: ${texts.succeeded}, ${ago(context, time)}</p>`;
  return html`<p>${texts.reload}: <span class="badge failing">${texts.failed}</span> ${ago(context, time)}; ${texts.previousInUse}</p>
<pre tabindex="0" lang="en">${problems}</pre>`;
}

function budgets(context: PageContext, { budgets, accounts }: ExporterView): Content {
  const { texts, format, telemetryPath } = context;
  if (budgets.length === 0) return undefined;
  const unless = (none: number, value: number, show: (value: number) => string) =>
    value === none ? quiet(texts.none) : show(value);
  const metricsLink = (name: string) =>
    html`<a href="${telemetryPath}?account=${encodeURIComponent(name)}">${telemetryPath}<span class="hidden"> ${name}</span></a>`;
  const rows = table(texts.budgets, budgets, [
    column(texts.account, ({ name }) => html`<a href="${linkToAccount(context, name)}"><bdi>${name}</bdi></a>`),
    numeric(texts.budget, ({ load }) => format.number(load.budget)),
    numeric(texts.required, ({ load }) => format.number(load.callsPerMinute)),
    numeric(texts.queue, ({ queueLength }) => unless(0, queueLength, format.number)),
    numeric(texts.pausedFor, ({ pauseRemaining }) => unless(0, pauseRemaining, format.duration)),
    numeric(texts.stretched, ({ stretch }) => unless(1, stretch, (factor) => `× ${format.number(factor)}`)),
    column(texts.metrics, ({ name }) => metricsLink(name)),
  ]);
  const cut = html`<p class="quiet">${texts.rowsShown(format.number(budgets.length), format.number(accounts))}</p>`;
  return html`<section class="card" aria-labelledby="budgets"><h2 id="budgets">${texts.budgets}</h2>
<p class="quiet">${texts.budgetNote}</p>
${rows}${budgets.length < accounts ? cut : ''}</section>
`;
}
