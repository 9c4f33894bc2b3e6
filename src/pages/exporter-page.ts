import { html, type SafeHtml } from '@remix-run/html-template';
import type { BudgetView, ExporterView, ReloadResult } from '../account-view/exporter-view.ts';
import { ago, type Column, type Content, table, tile, timeElement } from './components.ts';
import { linkToAccount, type PageContext } from './context.ts';
import { layout } from './layout.ts';

/** Renders the state of the exporter itself. */
export function exporterPage(context: PageContext, exporter: ExporterView): string {
  const { texts } = context;
  return layout(context, texts.exporterTitle, [
    html`<h1>${texts.exporterTitle}</h1>`,
    tiles(context, exporter),
    configuration(context, exporter),
    budgets(context, exporter),
    methods(context, exporter),
  ]);
}

function tiles(context: PageContext, { build, started, memory, accounts }: ExporterView): SafeHtml {
  const { texts, format, now } = context;
  const revision = build.revision === 'unknown' ? '' : `${build.revision}, `;
  return html`<dl class="tiles">
${tile(texts.version, build.version, `${revision}Node.js ${build.nodeVersion}`)}${tile(
  texts.uptime,
  timeElement(context, started, format.duration(now - started)),
  `${texts.started}: ${format.minute(started)}`,
)}${tile(texts.accounts, format.number(accounts))}${tile(
  texts.residentMemory,
  format.bytes(memory.resident),
  `${texts.heap}: ${format.bytes(memory.heap)}`,
)}</dl>
`;
}

function configuration(context: PageContext, { configFile, lastReload, webConfig }: ExporterView): SafeHtml {
  const { texts } = context;
  return html`<section class="card" aria-labelledby="configuration"><h2 id="configuration">${texts.configuration}</h2>
<p>${texts.configurationFile}: ${configFile === undefined ? texts.environment : html`<code>${configFile}</code>`} · <a href="/-/config">${texts.configurationInUse}</a></p>
${reload(context, lastReload)}
${
  webConfig === undefined
    ? ''
    : html`<p>${texts.webConfigurationFile}: <code>${webConfig.file}</code></p>
${reload(context, webConfig.lastReload)}`
}</section>
`;
}

function reload(context: PageContext, last: ReloadResult | undefined): SafeHtml {
  const { texts } = context;
  if (last === undefined) return html`<p>${texts.reload}: <span class="quiet">${texts.loadedAtStart}</span></p>`;
  const { time, problems } = last;
  if (problems === undefined) return html`<p>${texts.reload}: ${texts.reloadSucceeded}, ${ago(context, time)}</p>`;
  return html`<p>${texts.reload}: <span class="badge failing">${texts.failed}</span> ${ago(context, time)}; ${texts.previousInUse}</p>
<pre tabindex="0" lang="en">${problems}</pre>`;
}

function budgets(context: PageContext, { budgets, accounts }: ExporterView): Content {
  const { texts, format, telemetryPath } = context;
  if (budgets.length === 0) return undefined;
  const columns: readonly Column[] = [
    { title: texts.account },
    { title: texts.budget, isNumber: true },
    { title: texts.required, isNumber: true },
    { title: texts.queue, isNumber: true },
    { title: texts.pausedFor, isNumber: true },
    { title: texts.stretched, isNumber: true },
    { title: texts.metrics },
  ];
  const none = html`<span class="quiet">${texts.none}</span>`;
  const rows = budgets.map(({ name, budget, required, queue, pause, stretch }: BudgetView) => [
    html`<a href="${linkToAccount(context, name)}"><bdi>${name}</bdi></a>`,
    format.number(budget),
    format.number(required),
    queue === 0 ? none : format.number(queue),
    pause === 0 ? none : format.duration(pause),
    stretch === 1 ? none : `× ${format.number(stretch)}`,
    html`<a href="${telemetryPath}?account=${encodeURIComponent(name)}">${telemetryPath}<span class="hidden"> ${name}</span></a>`,
  ]);
  const cut = html`<p class="quiet">${texts.rowsShown(format.number(budgets.length), format.number(accounts))}</p>`;
  return html`<section class="card" aria-labelledby="budgets"><h2 id="budgets">${texts.budgets}</h2>
<p class="quiet">${texts.budgetNote}</p>
${table(texts.budgets, columns, rows)}${budgets.length < accounts ? cut : ''}</section>
`;
}

function methods(context: PageContext, { methods }: ExporterView): SafeHtml {
  const { texts, format } = context;
  const columns: readonly Column[] = [
    { title: texts.method },
    { title: texts.meanDuration, isNumber: true },
    { title: texts.calls, isNumber: true },
  ];
  const rows = methods.map(({ method, seconds, calls }) => [
    html`<code>${method}</code>`,
    format.seconds(seconds),
    format.number(calls),
  ]);
  return html`<section class="card" aria-labelledby="methods"><h2 id="methods">${texts.slowestMethods}</h2>
${rows.length === 0 ? html`<p class="quiet">${texts.noCalls}</p>` : table(texts.slowestMethods, columns, rows)}</section>
`;
}
