import type { ValueMapping } from '@grafana/schema';
import { colours, matchingText, textInRange } from './theme.ts';

/**
 * The dates on which security fixes of PHP versions end, and the certificate statuses that show a problem.
 *
 * The dashboards compare the dates with the current time. Update the table before each release (docs/project/releasing.md): add the
 * newest PHP branch, and correct dates that were extended.
 */
export const security = {
  /** The day on which the table was last compared with its sources. */
  checked: '2026-11-22',
  sources: {
    php: 'https://www.php.net/supported-versions.php and https://www.php.net/eol.php',
    certificates: 'The API documentation of the provider, which names only wle_set (a certificate is installed).',
  },
  /** The last day on which each PHP branch gets security fixes. Older branches have had none for years. */
  phpSupportEnds: {
    '8.0': '2023-11-26',
    '8.1': '2025-12-31',
    '8.2': '2026-12-31',
    '8.3': '2027-12-31',
    '8.4': '2028-12-31',
    '8.5': '2029-12-31',
  },
  /** Days before the end of support from which a domain is listed. The upgrade of a site takes weeks. */
  phpNoticeDays: 60,
  /** Words of coloured certificate statuses. They show that the certificate is missing or does not work. */
  certificateProblems: ['expired', 'error', 'fail', 'invalid', 'none', 'not_set', 'revoked'],
} as const;

const secondsPerDay = 86_400;

/** Adds the label `branch` to an expression: the branch of a PHP version, such as 8.2 for 8.2.28. */
export function phpBranch(expression: string, label: string): string {
  return `label_replace(${expression}, "branch", "$1", "${label}", "([0-9]+[.][0-9]+).*")`;
}

/**
 * Days until the security fixes for the PHP branch of each series end; negative after the end. If the support ended years ago, the
 * days count from 1970. No result for an unknown branch.
 */
export function phpSupportDays(withBranch: string): string {
  const supported = Object.entries(security.phpSupportEnds).map(([branch, date]) => [branch, dayAfter(date)] as const);
  const ends = [['old', 0] as const, ...supported].map(
    ([branch, end]) => `label_replace(vector(${end}), "branch", "${branch}", "", "")`,
  );
  const known = `label_replace(${withBranch}, "branch", "old", "branch", "[4-7][.].*")`;
  return `floor(${known} * on (branch) group_left () (${ends.join(' or ')}) - time() / ${secondsPerDay})`;
}

/** The number of the day after a date, counted from 1970. */
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

/** Colours for a certificate status. */
export const certificateMappings: readonly ValueMapping[] = [
  matchingText(`/^(.*(?:${security.certificateProblems.join('|')}).*)$/i`, '$1', colours.warning),
];
