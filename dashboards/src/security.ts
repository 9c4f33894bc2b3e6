import { phpSupport } from '../../src/rules/php-support.ts';
import { colours, textInRange } from './theme.ts';

export const security = {
  checked: phpSupport.checked,
  /** A domain is listed from this number of days before the end of support. The upgrade of a site takes weeks. */
  phpNoticeDays: 60,
} as const;

const secondsPerDay = 86_400;

/** Adds the label `branch` to an expression: the branch of a PHP version, such as 8.2 for 8.2.28. */
export function phpBranch(expression: string, label: string): string {
  return `label_replace(${expression}, "branch", "$1", "${label}", "([0-9]+[.][0-9]+).*")`;
}

/**
 * For each series: days until its PHP branch gets no more security fixes; negative after that. Branches whose support ended years ago count
 * as ended in 1970. No result for an unknown branch.
 */
export function phpSupportDays(withBranch: string): string {
  const supported = Object.entries(phpSupport.ends).map(([branch, date]) => [branch, dayAfter(date)] as const);
  const ends = [['old', 0] as const, ...supported].map(
    ([branch, end]) => `label_replace(vector(${end}), "branch", "${branch}", "", "")`,
  );
  const known = `label_replace(${withBranch}, "branch", "old", "branch", "[4-7][.].*")`;
  return `floor(${known} * on (branch) group_left () (${ends.join(' or ')}) - time() / ${secondsPerDay})`;
}

/** The day after a date, as a number of days since 1970. */
function dayAfter(date: string): number {
  return Date.parse(date) / 1000 / secondsPerDay + 1;
}

/** A table column for `phpSupportDays`. */
export const phpSupportColumn = {
  title: 'Security fixes',
  unit: 'days',
  mappings: [textInRange(null, -1, 'ended', colours.warning)],
  cell: 'coloured',
} as const;
