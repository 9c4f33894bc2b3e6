import { html, type SafeHtml } from '@remix-run/html-template';
import type { BudgetView, ExporterView } from '../account-view/exporter-view.ts';
import { ago, type Column, type Content, table, tile, timeElement } from './components.ts';
import { linkToAccount, type PageContext } from './context.ts';
import { layout } from './layout.ts';

/** Renders the state of the exporter itself. */
export function exporterPage(context: PageContext, exporter: ExporterView): string {
  const { texts } = context;
  return layout(context, texts.exporterTitle, [
    html`<h1>${texts.exporterTitle}</h1>`,
    tiles(context, exporter),
    reload(context, exporter),
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

function reload(context: PageContext, { configFile, lastReload }: ExporterView): SafeHtml {
  const { texts } = context;
  const result =
    lastReload === undefined
      ? html`<span class="quiet">${texts.loadedAtStart}</span>`
      : lastReload.problems === undefined
        ? html`${texts.reloadSucceeded}, ${ago(context, lastReload.time)}`
        : html`<span class="badge failing">${texts.failed}</span> ${texts.reloadFailed}, ${ago(context, lastReload.time)}`;
  const problems = lastReload?.problems;
  return html`<section class="card" aria-labelledby="configuration"><h2 id="configuration">${texts.configuration}</h2>
<p>${texts.configurationFile}: ${configFile === undefined ? texts.environment : html`<code>${configFile}</code>`} · <a href="/-/config">${texts.configurationInUse}</a></p>
<p>${texts.reload}: ${result}</p>
${problems === undefined ? '' : html`<pre tabindex="0">${problems}</pre>`}</section>
`;
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
