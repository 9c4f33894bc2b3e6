/**
 * The dates on which security fixes of PHP versions end. Pages, reports and dashboards compare them with the current time. Update the table
 * before each release (docs/project/releasing.md): add the newest PHP branch, and correct dates that were extended.
 */
export const phpSupport = {
  /** The day on which the table was last compared with its source. */
  checked: '2026-11-22',
  source: 'https://www.php.net/supported-versions.php and https://www.php.net/eol.php',
  /** The last day on which each PHP branch gets security fixes. Older branches have had none for years. */
  ends: {
    '8.0': '2023-11-26',
    '8.1': '2025-12-31',
    '8.2': '2026-12-31',
    '8.3': '2027-12-31',
    '8.4': '2028-12-31',
    '8.5': '2029-12-31',
  },
} as const;

/** Whether a PHP version, such as 8.0.30, gets no more security fixes. Unknown branches are newer than the table. */
export function isPhpUnsupported(version: string, now: number): boolean {
  const [branch = ''] = /^\d+\.\d+/.exec(version) ?? [];
  const end = new Map<string, string>(Object.entries(phpSupport.ends)).get(branch);
  return end === undefined ? /^[4-7]\./.test(branch) : now >= Date.parse(end) + 86_400_000;
}
