/**
 * The dates on which security fixes of PHP versions end. Pages, reports and dashboards compare them with the current time. Update the table
 * before each release (docs/project/releasing.md): add the newest PHP branch, and correct dates that were extended.
 */
export const phpSupport = {
  /** The day on which the table was last compared with its source. */
  checked: '2026-11-22',
  source: 'https://www.php.net/supported-versions.php and https://www.php.net/eol.php',
  /** The last day on which each PHP branch gets security fixes. Older branches have had no fixes for years. */
  ends: {
    '8.0': '2023-11-26',
    '8.1': '2025-12-31',
    '8.2': '2026-12-31',
    '8.3': '2027-12-31',
    '8.4': '2028-12-31',
    '8.5': '2029-12-31',
  },
} as const;

/** The end of security fixes for a PHP version such as 8.0.30, in Unix milliseconds. Branches that are too new for `ends` are supported. */
export function phpSupportEnd(version: string): number {
  const [branch = ''] = /^\d+\.\d+/.exec(version) ?? [];
  const ends: Readonly<Record<string, string>> = phpSupport.ends;
  return Date.parse(ends[branch] ?? (/^[4-7]\./.test(branch) ? '2022-11-28' : '9999-12-31')) + 86_400_000;
}
