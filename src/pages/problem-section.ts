import { html, type SafeHtml } from '@remix-run/html-template';
import { sectionOf } from '../api/method.ts';
import type { Poller } from '../polling/poller.ts';
import { causesOf, problemRow } from './causes.ts';
import { comingDates, dateList } from './coming.ts';
import { badge, type Content, nextAttempt, quiet } from './components.ts';
import type { PageContext } from './context.ts';
import { adviceOn } from './problem-texts.ts';
import { stepsOf } from './runbook.ts';
import type { AccountDetail } from './view/account-detail.ts';
import { type AccountProblem, alertOf, causeKeyOf } from './view/problems.ts';
import { growthOf } from './view/trends.ts';

export function problemSection(context: PageContext, account: AccountDetail): SafeHtml {
  const { summary } = account;
  const { texts } = context;
  const { state, problems } = summary;
  const title =
    state === 'ok' ? texts.nothingUrgent : state === 'waiting' ? texts.waitingForFirstPoll : texts.problemTitle;
  const explained = new Set<string>();
  const causes = Map.groupBy(problems, (problem) => causeKeyOf(problem, summary.timeZone));
  const list = [...causes.values()].map((group) => {
    const rows = group.map((problem) => problemRow(context, summary, problem));
    return html`<li>${badge(context, rows[0]?.state ?? state)}<div>${causesOf(context, rows)[0]?.text}${group
      .slice(0, 1)
      .map((problem) => [advice(context, problem, account), firstSteps(context, problem, explained)])}</div></li>
`;
  });
  const dates = comingDates(context, summary);
  const coming = dates.length === 0 ? '' : html`<h3>${texts.comingNext}</h3>${dateList(context, dates)}`;
  return html`<section class="card" aria-labelledby="problems"><h2 id="problems">${title}</h2>
${list.length === 0 ? '' : html`<ul class="list problem-list">${list}</ul>`}${coming}</section>
`;
}

/** Says how much disk space databases take, which databases are the largest, and which grow the fastest. */
function spaceOf({ texts, format }: PageContext, { figures, summary, changes }: AccountDetail): Content {
  const sizes = [...figures.by('database', 'hosting_database_size_bytes')].sort(([, a], [, b]) => b - a);
  if (sizes.length === 0 || summary.disk === undefined) return undefined;
  const all = sizes.reduce((sum, [, size]) => sum + size, 0);
  const largest = sizes.slice(0, 3).map(([name, size]) => `${name} (${format.bytes(size)})`);
  const rest = format.bytes(Math.max(0, summary.disk.used - all));
  const { grown = changes.yesterday.grown } = changes.lastWeek;
  const days = texts.forDays(changes.lastWeek.grown === undefined ? 1 : 7);
  const fastest = grown?.slice(0, 3).map((one) => `${one.name} (+${format.bytes(growthOf(one))})`) ?? [];
  const none = grown === undefined ? texts.growthUnknown : texts.noneGrows(days);
  const growth = fastest.length === 0 ? none : texts.databasesGrow(days, fastest.join(', '));
  return html`<p>${texts.databasesTake(format.bytes(all), rest, largest.join(', '))} ${growth}</p>`;
}

/** Renders the changes since yesterday, and in a folded list the changes since last week. */
export function changeSection({ texts }: PageContext, yesterday: readonly Content[], lastWeek: readonly Content[]) {
  const listOf = (lines: readonly Content[]) =>
    html`<ul class="list">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  return html`<section class="card" aria-labelledby="changes"><h2 id="changes">${texts.since.yesterday}</h2>${listOf(yesterday)}
<details id="last-week"><summary>${texts.since.lastWeek}</summary>${listOf(lastWeek)}</details></section>`;
}

/** The steps of a problem's runbook. The page shows each runbook only once. */
function firstSteps({ language, texts }: PageContext, problem: AccountProblem, explained: Set<string>): Content {
  const alert = alertOf(problem);
  if (alert === undefined || explained.has(alert)) return undefined;
  const steps = stepsOf(alert, language);
  if (steps.length === 0) return undefined;
  explained.add(alert);
  return html`<details id="steps-${alert}"><summary>${texts.whatToDo}</summary><ol>${steps.map(({ item }) => item)}</ol></details>`;
}

function advice(context: PageContext, problem: AccountProblem, detail: AccountDetail): Content {
  const { texts } = context;
  const { summary: account } = detail;
  switch (problem.kind) {
    case 'disk':
    case 'disk filling':
      return account.problems.find(({ kind }) => kind.startsWith('disk')) === problem
        ? spaceOf(context, detail)
        : undefined;
    case 'failing polls':
      return html`<p>${adviceOn(context, problem.cause)}</p>`;
    case 'unreachable': {
      const failures = account.pollers.map(({ newest }) => newest?.failures[0]);
      const message = failures.find((failure) => failure?.reason === problem.cause.reason)?.message;
      // Remove the seconds until the next attempt, because the number would soon be wrong. The page shows the time of the attempt below.
      const answer = message?.replace(/^not sent: |; next attempt in \d+ s$/g, '');
      return [
        html`<p>${adviceOn(context, problem.cause)}</p>`,
        answer === undefined ? '' : html`<p>${quiet(texts.answer)} <q lang="en" dir="auto">${answer}</q></p>`,
        html`<p>${nextAttempt(context, account.nextAttempt)}</p>`,
      ];
    }
    case 'not permitted': {
      const refused = account.pollers.filter(({ collector }) => problem.collectors.includes(collector.name));
      const lines = problem.collectors.map((name) => `      ${name}: { enabled: false }`);
      return [
        html`<p>${permit(texts, refused)} ${texts.orDisable}</p>`,
        html`<pre tabindex="0">${['accounts:', `  - name: ${JSON.stringify(account.name)}`, '    collectors:', ...lines].join('\n')}</pre>`,
      ];
    }
    default:
      return undefined;
  }
}

/** Names the methods to permit, or the sections if the API grants permissions per section. */
function permit(texts: PageContext['texts'], refused: readonly Poller[]): string {
  const quoted = (words: readonly string[]) => [...new Set(words)].map(texts.quote).join(', ');
  const methods = refused.flatMap(({ newest }) => newest?.failures.flatMap((one) => one.forbiddenMethod ?? []) ?? []);
  const sections = refused
    .filter(({ newest }) => !newest?.failures.some(({ forbiddenMethod }) => forbiddenMethod))
    .flatMap(({ collector }) => collector.methods.map((method) => texts.sectionLabels[sectionOf(method)]));
  return [
    ...(methods.length > 0 ? [texts.permitMethods(quoted(methods))] : []),
    ...(sections.length > 0 ? [texts.permitSections(quoted(sections))] : []),
  ].join(' ');
}
