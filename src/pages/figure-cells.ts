import { html } from '@remix-run/html-template';
import { bar, type Content, detail, known, rated } from './components.ts';
import type { PageContext } from './context.ts';
import type { Usage } from './view/account-summary.ts';

export function diskUsage(context: PageContext, usage: Usage | undefined): Content {
  const { texts, format } = context;
  return usageOf(context, usage, format.bytes, (used, limit) =>
    used > limit
      ? texts.exceeded(format.bytes(used - limit), format.bytes(limit))
      : texts.free(format.bytes(limit - used), format.bytes(limit)),
  );
}

export function shareOfPlan(context: PageContext, usage: Usage | undefined): Content {
  const { texts, format } = context;
  return usageOf(context, usage, format.number, (used, limit) =>
    texts.usedOf(format.number(used), format.number(limit)),
  );
}

function usageOf(
  context: PageContext,
  usage: Usage | undefined,
  amount: (value: number) => string,
  describe: (used: number, limit: number) => string,
): Content {
  const { texts, format } = context;
  return known(context, usage, ({ used, limit, ratio, level }) =>
    ratio === undefined || limit === undefined
      ? [amount(used), detail(texts.noLimit)]
      : [
          rated(level, format.percent(ratio)),
          bar(ratio, level),
          html`<span class="detail">${describe(used, limit)}</span>`,
        ],
  );
}

export function daysLeft({ texts, format }: PageContext, days: number): string {
  return days === 0 ? texts.today : format.days(days);
}

/** Formats the number of whole days until a domain expires, or since the domain expired. */
export function untilExpiry({ texts, format }: PageContext, days: number): string {
  return days < 0 ? texts.expired(format.days(-days)) : texts.within(format.days(days));
}
