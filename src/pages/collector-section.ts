import { html, type SafeHtml } from '@remix-run/html-template';
import type { Poller } from '../polling/poller.ts';
import { ago, quiet, until } from './components.ts';
import type { PageContext } from './context.ts';
import { namesOf } from './problem-texts.ts';
import type { AccountDetail } from './view/account-detail.ts';
import type { AccountSummary } from './view/account-summary.ts';

/** Renders the collectors of an account. */
export function collectorSection(context: PageContext, { summary }: AccountDetail): SafeHtml {
  const { pollers } = summary;
  const { texts, telemetryPath } = context;
  const names = pollers.map(({ collector }) => collector.name);
  const failing = pollers.filter(({ newest }) => newest?.failures[0] !== undefined);
  const failed = failing.map(({ collector }) => collector.name);
  return html`<details class="card" id="collectors"><summary><h2>${texts.collectors}</h2> ${quiet(`${names.length}`)}${failed.length === 0 ? '' : html` · ${texts.failed}: ${namesOf(context, failed)}`}</summary>
${pollers.map((poller) => collectorPart(context, poller, summary))}
<p><a href="${telemetryPath}?account=${encodeURIComponent(summary.name)}">${texts.metricsOfAccount}</a></p></details>
`;
}

function collectorPart(context: PageContext, poller: Poller, { problems }: AccountSummary): SafeHtml {
  const { texts, format } = context;
  const { interval, nextRun } = poller;
  const { name, methods } = poller.collector;
  const lastSuccess = poller.newest?.lastSuccess;
  const failure = poller.newest?.failures[0];
  // If the whole account fails, the page shows the reason above the collectors, not at each collector.
  const isKnown = problems.some((one) => one.kind === 'unreachable' && one.cause.reason === failure?.reason);
  const calls = methods.map((method, index) => html`${index === 0 ? '' : ', '}<code>${method}</code>`);
  const success = lastSuccess === undefined ? texts.never : ago(context, lastSuccess);
  const next = nextRun === undefined ? texts.none : until(context, nextRun);
  return html`<div class="collector" id="collector-${name}">
<div class="head"><h3><code>${name}</code></h3>${stateOf(context, poller)}</div>
${failure === undefined || isKnown ? '' : html`<p><strong>${failure.reason}</strong>: ${texts.causes[failure.reason]}. <q lang="en" dir="auto">${failure.message}</q></p>`}
<p class="quiet">${texts.methods}: ${calls} · ${texts.interval}: ${interval < 60_000 ? format.seconds(interval / 1000) : format.duration(interval)} · ${texts.lastSuccess}: ${success} · ${texts.nextRun}: ${next}</p>
</div>
`;
}

function stateOf({ texts }: PageContext, poller: Poller): SafeHtml {
  const { newest, isPolling } = poller;
  const earlier = newest?.isFromEarlierProcess === true;
  const notes = [...(earlier ? [texts.fromBeforeRestart] : []), ...(isPolling ? [texts.polling] : [])];
  const running = notes.length === 0 ? '' : html` ${quiet(notes.join(', '))}`;
  if (newest?.failures[0] !== undefined) return html`<span class="badge failing">${texts.failed}</span>${running}`;
  if (newest?.succeeded === true) return html`<span class="badge ok">${texts.states.ok}</span>${running}`;
  return html`<span class="badge waiting">${isPolling ? texts.polling : texts.waiting}</span>`;
}
