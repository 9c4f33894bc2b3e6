import { html, type SafeHtml } from '@remix-run/html-template';
import type { AccountDetail } from '../account-view/account-detail.ts';
import type { ViewedPoller } from '../account-view/viewed-account.ts';
import { sectionOf } from '../api/method.ts';
import type { PollFailure } from '../polling/failure-tracker.ts';
import type { CollectorStatus } from '../polling/poller.ts';
import { ago, type Content, table, timeElement, until } from './components.ts';
import { linkHere, type PageContext } from './context.ts';
import type { Texts } from './texts.ts';

/** Names a collector whose polls are shown; may occur several times in an address. */
const parameter = 'polls';

/** The collectors of an account. Which polls are shown is part of the address, so that a reload keeps it. */
export function collectorSection(context: PageContext, { pollers, summary }: AccountDetail): SafeHtml {
  const { texts, query, telemetryPath } = context;
  const opened = new Set(query.getAll(parameter));
  const names = pollers.map(({ collector }) => collector.name);
  const statuses = pollers.map((poller) => poller.status());
  const isAllOpen = names.every((name) => opened.has(name));
  return html`<section class="card" aria-labelledby="collectors"><div class="head"><h2 id="collectors">${texts.collectors}</h2>
<a class="toggle" href="${linkHere(context, { [parameter]: isAllOpen ? undefined : names })}#collectors">${isAllOpen ? texts.collapseAll : texts.expandAll}</a></div>
${causes(context, statuses)}
${pollers.map((poller, index) => collectorPart(context, poller, statuses[index] ?? poller.status(), opened))}
<p><a href="${telemetryPath}?account=${encodeURIComponent(summary.name)}">${texts.metricsOfAccount}</a></p></section>
`;
}

/** What to do about each cause, once for all collectors that it affects. */
function causes(context: PageContext, statuses: readonly CollectorStatus[]): Content {
  const failing = statuses.filter(({ failure }) => failure !== undefined);
  if (failing.length === 0) return undefined;
  const byAdvice = Map.groupBy(failing, (status) => adviceFor(context, status));
  return html`<ul class="list">${[...byAdvice].map(
    ([advice, affected]) =>
      html`<li>${meaningOf(context, affected[0]?.failure?.reason)} <span class="quiet">(${affected.map(({ collector }) => collector).join(', ')})</span> <span class="advice">${advice}</span></li>
`,
  )}</ul>`;
}

/** A reason as the metrics have it, and what it means. */
function meaningOf({ texts }: PageContext, reason: PollFailure['reason'] | undefined): Content {
  return reason === undefined ? undefined : html`<strong>${reason}</strong>: ${texts.happened[reason]}`;
}

/** The reason, and the message as the log has it, which is English and may quote the provider. */
function failureOf({ reason, message }: Pick<PollFailure, 'reason' | 'message'>): SafeHtml {
  return html`<span><strong>${reason}</strong>: <q lang="en" dir="auto">${message}</q></span>`;
}

function collectorPart(
  context: PageContext,
  poller: ViewedPoller,
  status: CollectorStatus,
  opened: ReadonlySet<string>,
): SafeHtml {
  const { texts, format } = context;
  const { collector: name, methods, interval, lastSuccess, nextRun, failure } = status;
  const isOpen = opened.has(name);
  const others = isOpen ? [...opened].filter((other) => other !== name) : [...opened, name];
  const calls = methods.map((method, index) => html`${index === 0 ? '' : ', '}<code>${method}</code>`);
  const success = lastSuccess === undefined ? texts.never : ago(context, lastSuccess);
  const next = nextRun === undefined ? texts.none : until(context, nextRun);
  return html`<div class="collector" id="collector-${name}">
<div class="head"><h3><code>${name}</code></h3>${stateOf(context, status)}
<a class="toggle" href="${linkHere(context, { [parameter]: others })}#collector-${name}" aria-label="${isOpen ? texts.hidePolls : texts.showPolls}: ${name}">${isOpen ? texts.hidePolls : texts.showPolls}</a></div>
${failure === undefined ? '' : html`<p>${failureOf(failure)}</p>`}
<p class="quiet">${texts.methods}: ${calls} · ${texts.interval}: ${interval < 60_000 ? format.seconds(interval / 1000) : format.duration(interval)} · ${texts.lastSuccess}: ${success} · ${texts.nextRun}: ${next}</p>
${isOpen ? polls(context, name, poller) : ''}</div>
`;
}

function stateOf({ texts }: PageContext, status: CollectorStatus): SafeHtml {
  const { failure, lastSuccess, polling, isFromEarlierProcess } = status;
  const notes = [...(isFromEarlierProcess ? [texts.fromBeforeRestart] : []), ...(polling ? [texts.polling] : [])];
  const running = notes.length === 0 ? '' : html` <span class="quiet">${notes.join(', ')}</span>`;
  if (failure !== undefined) return html`<span class="badge failing">${texts.failed}</span>${running}`;
  if (lastSuccess !== undefined) return html`<span class="badge ok">${texts.states.ok}</span>${running}`;
  return html`<span class="badge waiting">${polling ? texts.polling : texts.waiting}</span>`;
}

/** One sentence about what to do. */
function adviceFor({ texts }: PageContext, { failure, methods, forbiddenMethods }: CollectorStatus): string {
  if (failure === undefined) return '';
  if (failure.reason !== 'permission') return texts.advice[failure.reason];
  if (forbiddenMethods.length > 0) return texts.permitMethods(quoted(texts, forbiddenMethods));
  return texts.permitSections(quoted(texts, new Set(methods.map((method) => texts.sectionLabels[sectionOf(method)]))));
}

function quoted({ quote }: Texts, words: Iterable<string>): string {
  return [...words].map(quote).join(', ');
}

function polls(context: PageContext, name: string, poller: ViewedPoller): Content {
  const { texts, format } = context;
  const rows = poller
    .recentPolls()
    .map(({ ended, seconds, calls, failure }) => [
      timeElement(context, ended, format.time(ended)),
      format.seconds(seconds),
      format.number(calls),
      failure === undefined ? texts.succeeded : failureOf(failure),
    ]);
  if (rows.length === 0) return html`<p class="quiet">${texts.noPolls}</p>`;
  const columns = [
    { title: texts.time },
    { title: texts.duration, isNumber: true },
    { title: texts.calls, isNumber: true },
    { title: texts.result },
  ] as const;
  return table(`${texts.polls}: ${name}`, columns, rows);
}
