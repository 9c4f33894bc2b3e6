import { html, type SafeHtml } from '@remix-run/html-template';
import { sectionOf } from '../api/method.ts';
import type { PollFailure } from '../results/finished-poll.ts';
import type { RecentPoll } from '../results/poll-history.ts';
import {
  ago,
  type Content,
  column,
  numeric,
  quiet,
  type TableColumn,
  table,
  timeElement,
  until,
} from './components.ts';
import { linkHere, type PageContext } from './context.ts';
import type { Texts } from './english.ts';
import type { AccountDetail } from './view/account-detail.ts';
import type { ViewedPoller } from './view/viewed-account.ts';

/** The query parameter with the name of a collector whose polls are shown; may occur several times. */
const parameter = 'polls';

/** Renders the collectors of an account. The URL names the collectors with visible polls, so that a page reload keeps them. */
export function collectorSection(context: PageContext, { pollers, summary }: AccountDetail): SafeHtml {
  const { texts, query, telemetryPath } = context;
  const opened = new Set(query.getAll(parameter));
  const names = pollers.map(({ collector }) => collector.name);
  const isAllOpen = names.every((name) => opened.has(name));
  return html`<section class="card" aria-labelledby="collectors"><div class="head"><h2 id="collectors">${texts.collectors}</h2>
<a class="toggle" href="${linkHere(context, { [parameter]: isAllOpen ? undefined : names })}#collectors">${isAllOpen ? texts.collapseAll : texts.expandAll}</a></div>
${causes(context, pollers)}
${pollers.map((poller) => collectorPart(context, poller, opened))}
<p><a href="${telemetryPath}?account=${encodeURIComponent(summary.name)}">${texts.metricsOfAccount}</a></p></section>
`;
}

/** Renders each cause of failures, with one advice for all collectors that fail for this cause. */
function causes({ texts }: PageContext, pollers: readonly ViewedPoller[]): Content {
  const failing = pollers.flatMap((poller) => {
    const reason = failureOf(poller)?.reason;
    return reason === undefined
      ? []
      : [{ name: poller.collector.name, reason, advice: adviceFor(texts, poller, reason) }];
  });
  if (failing.length === 0) return undefined;
  const byAdvice = Map.groupBy(failing, ({ advice }) => advice);
  return html`<ul class="list">${[...byAdvice].map(
    ([advice, affected]) =>
      html`<li>${affected.slice(0, 1).map(({ reason }) => html`<strong>${reason}</strong>: ${texts.happened(reason)}`)} <span class="quiet">(${affected.map(({ name }) => name).join(', ')})</span> <span class="advice">${advice}</span></li>
`,
  )}</ul>`;
}

/** Renders the reason and the logged message, which is in English and may quote the provider. */
function describe({ reason, message }: Pick<PollFailure, 'reason' | 'message'>): SafeHtml {
  return html`<span><strong>${reason}</strong>: <q lang="en" dir="auto">${message}</q></span>`;
}

function failureOf({ newest }: ViewedPoller): PollFailure | undefined {
  return newest?.failures[0];
}

function collectorPart(context: PageContext, poller: ViewedPoller, opened: ReadonlySet<string>): SafeHtml {
  const { texts, format } = context;
  const { interval, nextRun } = poller;
  const { name, methods } = poller.collector;
  const lastSuccess = poller.newest?.lastSuccess;
  const failure = failureOf(poller);
  const isOpen = opened.has(name);
  const others = isOpen ? [...opened].filter((other) => other !== name) : [...opened, name];
  const calls = methods.map((method, index) => html`${index === 0 ? '' : ', '}<code>${method}</code>`);
  const success = lastSuccess === undefined ? texts.never : ago(context, lastSuccess);
  const next = nextRun === undefined ? texts.none : until(context, nextRun);
  return html`<div class="collector" id="collector-${name}">
<div class="head"><h3><code>${name}</code></h3>${stateOf(context, poller)}
<a class="toggle" href="${linkHere(context, { [parameter]: others })}#collector-${name}" aria-label="${isOpen ? texts.hidePolls : texts.showPolls}: ${name}">${isOpen ? texts.hidePolls : texts.showPolls}</a></div>
${failure === undefined ? '' : html`<p>${describe(failure)}</p>`}
<p class="quiet">${texts.methods}: ${calls} · ${texts.interval}: ${interval < 60_000 ? format.seconds(interval / 1000) : format.duration(interval)} · ${texts.lastSuccess}: ${success} · ${texts.nextRun}: ${next}</p>
${isOpen ? polls(context, name, poller) : ''}</div>
`;
}

function stateOf({ texts }: PageContext, poller: ViewedPoller): SafeHtml {
  const { newest, isPolling } = poller;
  const earlier = newest?.isFromEarlierProcess === true;
  const notes = [...(earlier ? [texts.fromBeforeRestart] : []), ...(isPolling ? [texts.polling] : [])];
  const running = notes.length === 0 ? '' : html` ${quiet(notes.join(', '))}`;
  if (failureOf(poller) !== undefined) return html`<span class="badge failing">${texts.failed}</span>${running}`;
  if (newest?.succeeded === true) return html`<span class="badge ok">${texts.states.ok}</span>${running}`;
  return html`<span class="badge waiting">${isPolling ? texts.polling : texts.waiting}</span>`;
}

function adviceFor(texts: Texts, { collector, forbiddenMethods }: ViewedPoller, reason: PollFailure['reason']): string {
  if (reason !== 'permission') return texts.advice(reason);
  const quoted = (words: Iterable<string>) => [...words].map(texts.quote).join(', ');
  if (forbiddenMethods.length > 0) return texts.permitMethods(quoted(forbiddenMethods));
  return texts.permitSections(
    quoted(new Set(collector.methods.map((method) => texts.sectionLabel(sectionOf(method))))),
  );
}

function polls(context: PageContext, name: string, poller: ViewedPoller): Content {
  const { texts, format } = context;
  const rows = poller.recentPolls;
  if (rows.length === 0) return html`<p class="quiet">${texts.noPolls}</p>`;
  const columns: readonly TableColumn<RecentPoll>[] = [
    column(texts.time, ({ ended }) => timeElement(context, ended, format.time(ended))),
    numeric(texts.duration, ({ seconds }) => format.seconds(seconds)),
    numeric(texts.calls, ({ calls }) => format.number(calls)),
    column(texts.result, ({ failure }) => (failure === undefined ? texts.succeeded : describe(failure))),
  ];
  return table(`${texts.polls}: ${name}`, columns, rows);
}
