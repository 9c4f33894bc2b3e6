import { html, type SafeHtml } from '@remix-run/html-template';
import { sectionLabel, sectionOf } from '../api/method.ts';
import { adviceFor } from '../api/reason-texts.ts';
import type { CollectorStatus } from '../polling/poller.ts';

/** What the landing page shows. Times in Unix milliseconds. */
export interface LandingPageContent {
  readonly version: string;
  readonly telemetryPath: string;
  readonly now: number;
  readonly accounts: readonly { readonly name: string; readonly collectors: readonly CollectorStatus[] }[];
}

/** Seconds between two automatic reloads in the browser. */
const refresh = 10;

/** Expands all accounts up to this number, otherwise only failing ones. */
const maxExpanded = 8;

const style = `
:root { color-scheme: light dark; --dim: #5c6370; --line: #d8dbe0; --bad: #b3261e; --good: #1a6b3c; --wait: #6b5300; }
@media (prefers-color-scheme: dark) { :root { --dim: #9aa2b1; --line: #3a3f4b; --bad: #ff9b94; --good: #7fd6a1; --wait: #e8c766; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
p, footer { color: var(--dim); }
summary { font-weight: 600; cursor: pointer; padding: .5rem 0; }
table { border-collapse: collapse; width: 100%; max-width: 46rem; margin-bottom: 1rem; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; }
th { color: var(--dim); font-weight: 500; white-space: nowrap; }
tr:not(.failure) td { white-space: nowrap; }
tr.failure td { border-top: 0; padding: 0 0 .6rem 1.2rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
@media (max-width: 40rem) {
  body { margin-top: 1rem; }
  table { font-size: .85rem; }
  th, td { padding-right: .5rem; }
  tr:not(.failure) > :nth-child(4) { display: none; }
  tr.failure td { padding-left: .6rem; }
}
.bad { color: var(--bad); } .good { color: var(--good); } .wait { color: var(--wait); }
`;

/** Renders the page for browsers: the state of each account's collectors, without scripts. */
export function landingPage(content: LandingPageContent): string {
  const { version, telemetryPath, now, accounts } = content;
  const failing = accounts.filter(isFailing).length;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${refresh}">
<title>hosting-account-exporter</title>
<style>${html.raw`${style}`}</style>
</head>
<body>
<h1>hosting-account-exporter</h1>
<p>${count(accounts.length, 'account')}, ${failing === 0 ? 'none' : failing} failing.
<a href="${telemetryPath}">Metrics</a> · <a href="/-/ready">ready</a> · <a href="/-/healthy">healthy</a></p>
${accounts.map((account) => accountSection(account, now, accounts.length <= maxExpanded))}
<footer>Version ${version}. As of ${new Date(now).toISOString().slice(0, 19)}Z; reloads every ${refresh} seconds.</footer>
</body>
</html>
`;
  return String(page);
}

type AccountContent = LandingPageContent['accounts'][number];

function isFailing({ collectors }: AccountContent): boolean {
  return collectors.some(({ failure }) => failure !== undefined);
}

function accountSection(account: AccountContent, now: number, expanded: boolean): SafeHtml {
  const failing = isFailing(account);
  const open = html.raw`${expanded || failing ? ' open' : ''}`;
  const mark = failing ? html` <span class="bad">failing</span>` : '';
  return html`<details${open}><summary>${account.name}${mark}</summary>
<div class="scroll"><table>
<tr><th>Collector</th><th>State</th><th>Last success</th><th>Every</th><th>Next run</th></tr>
${account.collectors.map((status) => collectorRow(status, now))}</table></div></details>
`;
}

function collectorRow(status: CollectorStatus, now: number): SafeHtml {
  const { collector, lastSuccess, nextRun, interval } = status;
  const age = lastSuccess === undefined ? 'never' : `${duration(now - lastSuccess)} ago`;
  const cells = [collector, state(status), age, duration(interval), until(nextRun, now)];
  return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
${failureRow(status)}`;
}

/** A full-width row below that of a failed collector. */
function failureRow(status: CollectorStatus): SafeHtml | undefined {
  const { failure } = status;
  if (failure === undefined) return undefined;
  const { reason, message } = failure;
  return html`<tr class="failure"><td colspan="5"><strong>${reason}</strong>: ${message}${advice(status)}</td></tr>
`;
}

function state({ failure, lastSuccess, polling }: CollectorStatus): SafeHtml {
  const running = polling ? ', polling' : '';
  if (failure !== undefined) return html`<span class="bad">failed</span>${running}`;
  if (lastSuccess !== undefined) return html`<span class="good">ok</span>${running}`;
  return html`<span class="wait">${polling ? 'first poll' : 'waiting'}</span>`;
}

function advice({ failure, methods, forbiddenMethods }: CollectorStatus): string {
  if (failure === undefined || failure.reason === 'bug') return '';
  if (failure.reason !== 'permission') return `. ${adviceFor(failure.reason)}`;
  if (forbiddenMethods.length > 0) {
    return `. Permit “${forbiddenMethods.join('”, “')}” for the API password in the control panel.`;
  }
  const boxes = new Set(methods.map((method) => sectionLabel(sectionOf(method))));
  return `. Tick “${[...boxes].join('”, “')}” for the API password in the control panel.`;
}

function until(run: number | undefined, now: number): string {
  if (run === undefined) return 'none';
  return run <= now ? 'now' : `in ${duration(run - now)}`;
}

/** `7 s`, `12 min`, `3 h`, `2 d`: one rounded unit. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
