import { oneLine } from '../config/values/wording.ts';
import { calendarOf } from './calendar.ts';
import { causesOf, listLink } from './causes.ts';
import type { TextContext } from './context.ts';
import { customerHtml, customerMail } from './customer-report.ts';
import { describeCounts, firstChanges, oldPhpOf } from './problem-texts.ts';
import type { FleetReport } from './report.ts';
import { csvOf } from './report-csv.ts';

/** The exit codes of `report` by state. Monitoring plugins use the same exit codes. */
export const reportExitCodes = { ok: 0, warning: 1, partly: 1, critical: 2, failing: 3, waiting: 3 } as const;

const pluginStates = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;

/** The number of accounts that need attention, and one line for each cause. Lines without links are for monitoring systems. */
export function reportLines(context: TextContext, report: FleetReport, hasLinks = false): readonly string[] {
  const { texts } = context;
  const lines = causesOf(context, report.problems).map(({ account, change, cause, text, count, customers, more }) => {
    const prefix = change === undefined ? '' : `${texts.changes[change]}: `;
    if (count === 1) return `${prefix}${account}: ${text}`;
    const names = customers.map(([customer, list]) => {
      return `${customer && `${oneLine(customer)}: `}${list.map((one) => one.account).join(', ')}`;
    });
    const link = hasLinks ? listLink(report, cause) : '';
    return `${prefix}${text} — ${texts.accountCount(count)}: ${names.join('; ')}${more > 0 ? ` ${texts.andMore(more)}` : ''}${link && ` ${link}`}`;
  });
  return [describeCounts(context, report.counts), ...lines];
}

/** Lists with a title: when disks are full, old PHP versions, and what changed. Empty if the report has no `changes`. */
function trends(context: TextContext, { accounts }: FleetReport): readonly (readonly [string, readonly string[]])[] {
  const { texts, format } = context;
  const full = accounts.flatMap(({ account, changes, figures: { diskFullDays: days } }) =>
    changes === undefined || days === undefined ? [] : [`${account}: ${format.relativeDay(Number(days))}`],
  );
  const changes = (['yesterday', 'lastWeek'] as const).map((since) => {
    const lines = accounts.flatMap(({ account, changes }) =>
      firstChanges(context, changes?.[since]?.map(({ text }) => text) ?? []).map((text) => `${account}: ${text}`),
    );
    return [texts.since[since], lines] as const;
  });
  const old = accounts.flatMap(({ account, changes, domains }) => {
    const names = oldPhpOf(context, domains);
    return changes === undefined || names === undefined ? [] : [`${account}: ${names}`];
  });
  return [[texts.diskFullIn, full] as const, [texts.oldPhp, old] as const, ...changes].filter(
    ([, lines]) => lines.length > 0,
  );
}

export const reportFormats = {
  text: (context: TextContext, report: FleetReport) =>
    [
      reportLines(context, report, true),
      ...trends(context, report).map(([title, lines]) => ['', `${title}:`, ...lines]),
    ]
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
      .join(''),
  json: (_context: TextContext, report: FleetReport) => `${JSON.stringify(report, null, 2)}\n`,
  csv: csvOf,
  html: customerHtml,
  mail: customerMail,
  ics: calendarOf,
  /** One line, with the figures of at most 20 accounts, because monitoring systems cut long lines. */
  nagios: (context: TextContext, report: FleetReport) => {
    const plain = (text: string) => text.replaceAll(/[|'=]/g, '_');
    const figures = report.accounts.slice(0, 20).flatMap(({ account, figures }) => {
      const { diskLimitBytes: diskLimit = '', planLoadLimit = '', nextDomainExpiry: expiry } = figures;
      const days =
        expiry === undefined ? undefined : Math.trunc((Date.parse(String(expiry)) - context.now) / 86_400_000);
      const shown = [
        ['disk', figures['diskUsedBytes'], `B;;;0;${diskLimit}`],
        ['load', figures['planLoad'], `;;;0;${planLoadLimit}`],
        ['recent load', figures['recentLoad'], `;;;0;${planLoadLimit}`],
        ['balance', figures['balance'], ''],
        ['domain days', days, ''],
      ] as const;
      return shown.flatMap(([name, value, rest]) =>
        value === undefined ? [] : [`'${plain(account)} ${name}'=${value}${rest}`],
      );
    });
    const counts = Object.entries(report.counts).map((count) => count.join('='));
    const text = reportLines(context, report).join('; ').replaceAll('|', '/');
    return `HOSTING ${pluginStates[reportExitCodes[report.state]]}: ${text} | ${[...counts, ...figures].join(' ')}\n`;
  },
};
