import { html, type SafeHtml } from '@remix-run/html-template';
import { backups, databases, planLimits, server, sites } from './account-sections.ts';
import { chart } from './chart.ts';
import { collectorSection } from './collector-section.ts';
import { ago, badge, detail, quiet, tile } from './components.ts';
import { inZone, type PageContext } from './context.ts';
import { domains } from './domain-section.ts';
import { diskChart, diskUsage, missingFigure, shareOfPlan, suspensionDay } from './figure-cells.ts';
import { layout } from './layout.ts';
import { changeSection, problemSection } from './problem-section.ts';
import { describeChanges } from './problem-texts.ts';
import type { AccountDetail } from './view/account-detail.ts';

export function accountPage(page: PageContext, account: AccountDetail): string {
  const { summary, changes } = account;
  const context = inZone(page, summary.timeZone);
  const title = `${summary.name}: ${context.texts.states[summary.state]}`;
  const content = [
    html`<h1><bdi>${summary.name}</bdi> ${badge(context, summary.state)}</h1>`,
    html`<div class="top">${problemSection(context, account)}${changeSection(context, describeChanges(context, changes.yesterday), describeChanges(context, changes.lastWeek))}</div>`,
    tiles(context, account),
    html`<p class="toggle quiet jump">${(['domains', 'sites', 'databases', 'backups'] as const).map((id) => html`<a href="#${id}">${context.texts[id]}</a> `)}</p>`,
    excludedNote(context, account),
    account.answered.size === 0
      ? html`<p class="card quiet">${summary.state === 'waiting' ? context.texts.noFiguresYet : context.texts.noFigures}</p>`
      : [
          domains(context, account),
          sites(context, account),
          databases(context, account),
          html`<div class="columns">${planLimits(context, account)}<div>${backups(context, account)}${server(context, account)}</div></div>`,
        ],
    collectorSection(context, account),
  ];
  return layout(context, title, content, summary.state);
}

function excludedNote({ texts, format }: PageContext, { excluded }: AccountDetail): SafeHtml | undefined {
  const counts = excluded.map(([kind, count]) => texts.excludedKind(texts[kind].toLowerCase(), format.number(count)));
  return counts.length === 0 ? undefined : html`<p class="quiet">${texts.excluded(counts.join(', '))}</p>`;
}

function tiles(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { summary, figures, diskDays, balanceDays, loadDays } = account;
  const { disk, suspension, balance, dailyCharge, planLoad, recentLoad, answered } = summary;
  const unknown = missingFigure(context, summary, 'account', texts.notReported);
  const money = balanceDays && { ...balanceDays, days: (balance?.amount ?? 0) / (dailyCharge ?? 0) };
  const loads = loadDays && { ...loadDays, limit: planLoad?.limit };
  const loadChart = loads && chart(context, texts.planLoad, loads);
  const balanceChart = money && chart(context, texts.balance, money, format.money);
  const forecast =
    summary.forecastFrom === undefined ? '' : detail(texts.forecastFrom(format.date(summary.forecastFrom)));
  const usage = disk && [diskUsage(context, summary), forecast, diskChart(context, summary, diskDays)];
  const load = planLoad && [shareOfPlan(context, planLoad), loadChart];
  const age = answered === undefined ? undefined : ago(context, answered);
  return html`<dl class="tiles">
${[
  tile(texts.disk, usage ?? unknown, disk?.level),
  tile(texts.paidUntil, suspensionDay(context, summary) ?? unknown, (suspension ?? balance)?.level),
  tile(texts.planLoad, load ?? missingFigure(context, summary, 'site_load', texts.none), planLoad?.level),
  recentLoad && tile(texts.recentLoad, shareOfPlan(context, recentLoad), recentLoad.level),
  balance === undefined
    ? tile(texts.balance, unknown)
    : tile(texts.balance, [format.money(balance.amount), balanceChart], balance.level, texts.currency),
  tile(texts.dailyCharge, dailyCharge === undefined ? unknown : format.money(dailyCharge)),
  tile(texts.plan, figures.samples('hosting_account_info')[0]?.labels['tariff'] || unknown),
  tile(texts.updated, age ?? quiet(summary.state === 'waiting' ? texts.missing.waiting : texts.never)),
]}</dl>
${diskDays === undefined && disk ? html`<p class="quiet">${texts.trendLater}</p>` : ''}`;
}
