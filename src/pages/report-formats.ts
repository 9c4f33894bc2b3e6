import { calendarOf } from './calendar.ts';
import { causeLines } from './causes.ts';
import type { TextContext } from './context.ts';
import { customerHtml, customerMail } from './customer-report.ts';
import { changeLines, describeCounts, oldPhpOf } from './problem-texts.ts';
import type { FleetReport } from './report.ts';
import { csvOf } from './report-csv.ts';

/** The exit codes of `report` by state. Monitoring plugins use the same exit codes. */
export const reportExitCodes = { ok: 0, warning: 1, partly: 1, critical: 2, failing: 3, waiting: 3 } as const;

const pluginStates = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;

/** The number of accounts that need attention, and one line for each cause. `isShort`: for monitoring systems, which cut long texts. */
export function reportLines(context: TextContext, report: FleetReport, isShort = false): readonly string[] {
  const lines = causeLines(context, report, isShort).map(({ text, link }) => (link === '' ? text : `${text} ${link}`));
  return [describeCounts(context, report.counts), ...lines];
}

/** Lists with titles: when disks will be full, PHP versions without security fixes, and changes. Empty if the report has no `changes`. */
function trends(context: TextContext, { accounts }: FleetReport): readonly (readonly [string, readonly string[]])[] {
  const { texts, format } = context;
  type Account = FleetReport['accounts'][number];
  const compared = accounts.filter(({ changes }) => changes !== undefined);
  const linesOf = (read: (account: Account) => string | readonly string[]) =>
    compared.flatMap((one) => [read(one)].flat().map((text) => `${one.account}: ${text}`));
  const since = (day: 'yesterday' | 'lastWeek') =>
    linesOf(({ changes, page }) => changeLines(context, changes?.[day], page));
  const lists = [
    [
      texts.diskFullIn,
      linesOf(({ figures: { diskFullDays: days } }) => (days === undefined ? [] : format.relativeDay(Number(days)))),
    ],
    [texts.oldPhp, linesOf((account) => oldPhpOf(account) ?? [])],
    [texts.since.yesterday, since('yesterday')],
    [texts.since.lastWeek, since('lastWeek')],
  ] as const;
  return lists.filter(([, lines]) => lines.length > 0);
}

export const reportFormats = {
  text: (context: TextContext, report: FleetReport) =>
    [reportLines(context, report), ...trends(context, report).map(([title, lines]) => ['', `${title}:`, ...lines])]
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
    const figures = report.accounts.slice(0, 20).flatMap(({ account, figures, domains = [] }) => {
      const { diskLimitBytes: diskLimit = '', planLoadLimit = '', nextDomain } = figures;
      const days = domains.find(({ domain }) => domain === nextDomain)?.days;
      // NaN if the time is unknown.
      const daysTo = (time: string) => (Date.parse(`${figures[time]}`) - context.now) / 86_400_000;
      const shown = [
        ['disk', figures['diskUsedBytes'], `B;;;0;${diskLimit}`],
        ['load', figures['planLoad'], `;;;0;${planLoadLimit}`],
        ['recent load', figures['recentLoad'], `;;;0;${planLoadLimit}`],
        ['balance', figures['balance'], ''],
        ['daily charge', figures['dailyCharge'], ''],
        ['paid days', Math.max(0, Math.ceil(daysTo('paidUntil'))), ''],
        ['domain days', days, ''],
        ['backup days', Math.floor(-daysTo('newestBackup')), ''],
      ] as const;
      return shown.flatMap(([name, value, rest]) =>
        value === undefined || Number.isNaN(value) ? [] : [`'${plain(account)} ${name}'=${value}${rest}`],
      );
    });
    const counts = Object.entries(report.counts).map((count) => count.join('='));
    const text = reportLines(context, report, true).join('; ').replaceAll('|', '/');
    return `HOSTING ${pluginStates[reportExitCodes[report.state]]}: ${text} | ${[...counts, ...figures].join(' ')}\n`;
  },
};
