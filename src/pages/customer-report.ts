import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { oneLine } from '../config/values/wording.ts';
import { causeLines } from './causes.ts';
import { inZone, type TextContext } from './context.ts';
import { groupingLabel } from './money.ts';
import { changeLines, describeCounts, oldPhpOf } from './problem-texts.ts';
import type { FleetReport } from './report.ts';
import { groupOf } from './view/overview.ts';
import type { AccountState } from './view/problems.ts';

/** The content that the HTML and the plain text of a customer's report share. */
type Content = ReturnType<typeof contentOf>;
type Account = Content['groups'][number]['accounts'][number];

/** Omits accounts without problems from a report of problems that began or ended. In such a report, accounts have no `changes`. */
function contentOf(page: TextContext, report: FleetReport) {
  const { time, counts, accounts, problems } = report;
  const context = inZone(page, 'UTC');
  const { texts, format } = context;
  const label = groupingLabel(accounts);
  const shown = accounts.filter(
    ({ account, changes }) => changes !== undefined || problems.some((one) => one.account === account),
  );
  const groups = [...Map.groupBy(shown, (one) => groupOf(one, label))].map(([customer, list]) => ({
    customer,
    accounts: list.map((one) => ({
      name: one.account,
      page: one.page,
      state: one.state,
      figures: figuresOf(context, one),
      changes: changeLines(context, one.changes?.lastWeek, one.page),
    })),
  }));
  const [{ customer = '' } = {}, ...others] = groups;
  const isCustomer = others.length === 0 && customer !== '';
  const without = others.length === 0 ? '' : texts.without(label ?? '');
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const state = only ? `${only.account}: ${texts.states[only.state]}` : describeCounts(context, counts);
  return {
    title: oneLine(isCustomer ? `${customer}${only ? ', ' : ': '}${state}` : state),
    time: format.minute(Date.parse(time)),
    groups: groups.map((group) => ({ ...group, customer: isCustomer ? '' : group.customer || without })),
    problems: causeLines(context, report),
  };
}

function figuresOf({ texts, format, now }: TextContext, account: FleetReport['accounts'][number]) {
  const { figures, dates = [] } = account;
  const number = (name: string) => (typeof figures[name] === 'number' ? figures[name] : undefined);
  const usage = (name: string, limitName: string, amount: (value: number) => string) => {
    const [used, limit] = [number(name), number(limitName)];
    if (used === undefined || !limit) return used === undefined ? undefined : amount(used);
    return `${texts.usedOf(amount(used), amount(limit))} (${format.percent(used / limit)})`;
  };
  const dateOf = (kind: string, item?: unknown) => {
    const date = dates.find((one) => one.kind === kind && one.item === item)?.date;
    return date === undefined ? undefined : format.date(Date.parse(date));
  };
  const growth = (number('diskUsedBytes') ?? 0) - (number('diskEarlierBytes') ?? 0);
  const since = figures['diskEarlierOn'];
  const change = `${growth < 0 ? '−' : '+'}${format.bytes(Math.abs(growth))}`;
  const domain = figures['nextDomain'];
  const expiry = dateOf('domain', domain);
  const backup = figures['newestBackup'];
  const lines = [
    [texts.disk, usage('diskUsedBytes', 'diskLimitBytes', format.bytes)],
    [texts.diskChange, since === undefined ? undefined : texts.since.date(change, format.date(Date.parse(`${since}`)))],
    [texts.planLoad, usage('planLoad', 'planLoadLimit', format.number)],
    [texts.paidUntil, dateOf('payment')],
    [texts.nextDomain, expiry && `${oneLine(`${domain}`)}, ${expiry}`],
    [texts.oldPhp, oldPhpOf(account)],
    [texts.newestBackup, backup && texts.ago(format.duration(now - Date.parse(`${backup}`)))],
  ] as const;
  return lines.filter((line): line is readonly [string, string] => typeof line[1] === 'string');
}

/** Plain text with the content of the HTML, for mail programs that do not show HTML. */
export function customerText(context: TextContext, report: FleetReport): string {
  const { title, time, groups, problems } = contentOf(context, report);
  const problemLines = problems.flatMap(({ text, remedy = '', link }) => {
    return [`! ${text}`, ...[remedy, link].filter(Boolean).map((line) => `  ${line}`)];
  });
  const accountLines = (account: Account) => [
    '',
    `${oneLine(account.name)}: ${context.texts.states[account.state]}`,
    ...(account.page === undefined ? [] : [account.page]),
    ...account.figures.map(([name, value]) => `${name}: ${value}`),
    ...(account.changes.length === 0 ? [] : [`${context.texts.since.lastWeek}:`]),
    ...account.changes.map((line) => `- ${line}`),
  ];
  const groupLines = groups.flatMap(({ customer, accounts }) => [
    ...(customer === '' ? [] : ['', `== ${oneLine(customer)} ==`]),
    ...accounts.flatMap(accountLines),
  ]);
  return [title, time, ...problemLines, ...groupLines].map((line) => `${line}\n`).join('');
}

/** The colours of the states; other states are grey. */
const colours: { readonly [State in AccountState]?: string } = {
  critical: '#b42318',
  warning: '#935d00',
  ok: '#067647',
};

/** One file with inline styles, because mail programs remove scripts and style sheets. */
export function customerHtml(context: TextContext, report: FleetReport): string {
  const { title, time, groups, problems } = contentOf(context, report);
  const content = groups.map(({ customer, accounts }) => [
    customer && html`<h2 style="margin:28px 0 0;font-size:18px;line-height:1.3"><bdi>${customer}</bdi></h2>\n`,
    accounts.map((account) => accountHtml(context, account)),
  ]);
  return `${html`<!doctype html>
<html lang="${context.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${title}</title>
</head>
<body style="margin:0;background:#ffffff;color:#1d2939">
<div style="box-sizing:border-box;max-width:600px;margin:0 auto;padding:20px 16px;font:15px/1.5 Arial,Helvetica,sans-serif;overflow-wrap:anywhere">
<h1 style="margin:0;font-size:22px;line-height:1.3">${title}</h1>
<p style="margin:4px 0 0;color:#475467">${time}</p>
${[problemsHtml(problems), content]}</div>
</body>
</html>`}\n`;
}

function accountHtml({ texts }: TextContext, { name, page, state, figures, changes }: Account): SafeHtml {
  const colour = colours[state] ?? '#475467';
  const title = page ? html`<a href="${page}" style="color:#1d4ed8"><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`;
  const rows = figures.map(
    ([figure, value]) =>
      html`<tr valign="top"><td style="color:#475467;padding-right:12px">${figure}</td><td>${value}</td></tr>\n`,
  );
  const list = changes.map(
    (line) =>
      html`<li>${page && line.endsWith(page) ? html`<a href="${page}">${line.slice(0, -2 - page.length)}</a>` : line}</li>`,
  );
  return html`<div style="margin:14px 0 0;padding:12px 14px;border:1px solid #d0d5dd;border-left:4px solid ${colour};border-radius:6px;page-break-inside:avoid">
<p style="margin:0;font-size:16px;font-weight:bold">${title} <span style="font-size:13px;color:${colour}">${texts.states[state]}</span></p>
<table role="presentation" cellpadding="1" style="margin:6px 0 0;border-collapse:collapse;font-size:14px">${rows}</table>
${changes.length === 0 ? '' : html`<p style="margin:8px 0 0;font-size:14px;color:#475467">${texts.since.lastWeek}</p><ul style="margin:2px 0 0;padding-left:20px;font-size:14px">${list}</ul>\n`}</div>
`;
}

function problemsHtml(problems: Content['problems']): SafeHtml {
  const list = problems.map(
    ({ text, remedy, link }) =>
      html`<li style="margin:4px 0 0"><strong>${link === '' ? text : html`<a href="${link}" style="color:#1d4ed8">${text}</a>`}</strong>${remedy === undefined ? '' : html`<br>${remedy}`}</li>`,
  );
  return problems.length === 0 ? html`` : html`<ul style="margin:6px 0 0;padding-left:20px">${list}</ul>\n`;
}

/** A message with plain text and HTML, for programs such as msmtp and sendmail, which add the sender and the recipient. */
export function customerMail(context: TextContext, report: FleetReport): string {
  const { title } = contentOf(context, report);
  const parts = [['plain', customerText(context, report)] as const, ['html', customerHtml(context, report)] as const];
  const boundary = createHash('sha256').update(String(parts)).digest('hex').slice(0, 32);
  // An encoded word (RFC 2047) has at most 75 characters and must not split a character.
  const words = [...title].join('').match(/.{1,14}/gsu) ?? [];
  const subject = words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\n ');
  const bodies = parts.map(([type, text]) => {
    const body = Buffer.from(text)
      .toString('base64')
      .replace(/.{76}(?=.)/g, '$&\n');
    return `--${boundary}\nContent-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${body}\n`;
  });
  return `Subject: ${subject}\nMIME-Version: 1.0\nContent-Type: multipart/alternative;\n boundary="${boundary}"\n\n${bodies.join('')}--${boundary}--\n`;
}
