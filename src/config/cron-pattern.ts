import { Cron, CronPattern } from 'croner';

/** Why a text is not a cron pattern of five or six fields; undefined if it is. Does not repeat the text. */
export function validateCronPattern(pattern: string): string | undefined {
  try {
    // Cron accepts any text with a colon as a date.
    new CronPattern(pattern, 'UTC', { mode: '5-or-6-parts' });
    const next = new Cron(pattern, { mode: '5-or-6-parts', timezone: 'UTC', paused: true }).nextRun();
    return next === null ? 'is a cron pattern that never matches; correct its day or month' : undefined;
  } catch (error) {
    // Only the field's name is safe to print: the rest of croner's message repeats values of environment variables.
    const field = error instanceof Error ? /Invalid value for (\w+):/.exec(error.message)?.[1] : undefined;
    const what = field === undefined ? 'is not a cron pattern' : `is not a cron pattern: its ${field} is out of range`;
    return `${what}; write five fields (minute, hour, day, month, day of week), such as "7 * * * *"`;
  }
}
