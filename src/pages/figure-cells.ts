import { html, type SafeHtml } from '@remix-run/html-template';
import { chart } from './chart.ts';
import { bar, type Content, dayOf, detail, quiet, rated, timeElement } from './components.ts';
import type { PageContext } from './context.ts';
import type { AccountSummary, Deadline } from './view/account-summary.ts';
import type { History } from './view/histories.ts';
import { knowledgeOf } from './view/problems.ts';

/** Says why an account has no figure of a collector. `none`: the text if the collector works, but the API reports no figure. */
export function missingFigure(context: PageContext, { pollers }: AccountSummary, name: string, none: string): SafeHtml {
  const poller = pollers.find(({ collector }) => collector.name === name);
  const knowledge = poller === undefined ? 'disabled' : knowledgeOf(poller);
  return quiet(knowledge === 'known' ? none : context.texts.missing[knowledge]);
}

export function diskUsage(context: PageContext, { disk, diskFull }: AccountSummary): Content {
  const { texts, format } = context;
  const usage = usageOf(context, disk, format.bytes, (used, limit) =>
    used > limit
      ? texts.exceeded(format.bytes(used - limit), format.bytes(limit))
      : texts.free(format.bytes(limit - used), format.bytes(limit)),
  );
  return diskFull ? [usage, detail(rated(diskFull.level, texts.full(dayOf(context, diskFull.time))))] : usage;
}

/** A chart of the disk usage, with the limit and a forecast. `days`: the usage on each of the last days. */
export function diskChart(context: PageContext, { disk, diskFull }: AccountSummary, days?: History) {
  const ahead = { limit: disk?.limit, days: diskFull?.days };
  return days && chart(context, context.texts.disk, { ...days, ...ahead }, context.format.bytes);
}

/** `load`: the mean load of the last month, or of the last three days. */
export function shareOfPlan(context: PageContext, load: AccountSummary['planLoad']): Content {
  const { texts, format } = context;
  const share = (used: number, limit: number) => texts.usedOf(format.number(used), format.number(limit));
  return usageOf(context, load, format.number, share);
}

function usageOf(
  { texts, format }: PageContext,
  usage: AccountSummary['disk'],
  amount: (value: number) => string,
  describe: (used: number, limit: number) => string,
): Content {
  if (usage === undefined) return undefined;
  const { used, limit, ratio, level } = usage;
  if (ratio === undefined || limit === undefined) return [amount(used), detail(texts.noLimit)];
  return [
    rated(level, format.percent(ratio)),
    bar(ratio, level),
    html`<span class="detail">${describe(used, limit)}</span>`,
  ];
}

export function suspensionDay(context: PageContext, { suspension, balance }: AccountSummary): Content {
  if (balance !== undefined && balance.amount < 0) {
    return [rated((suspension ?? balance).level, context.texts.inDebt), detail(context.format.money(balance.amount))];
  }
  if (suspension === undefined) return undefined;
  const { level, time } = suspension;
  return [rated(level, timeElement(context, time, dayOf(context, time))), detail(context.format.date(time))];
}

export function expiryDay(context: PageContext, { level, time }: Deadline): SafeHtml {
  const words = dayOf(context, time);
  const isPast = context.format.daysUntil(time, context.now) < 0;
  return rated(level, timeElement(context, time, isPast ? context.texts.expired(words) : words));
}
