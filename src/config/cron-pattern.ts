import { Cron, CronPattern } from 'croner';

/** What is wrong with a cron pattern of five or six fields; undefined where nothing is. It is not repeated. */
export function cronComplaint(pattern: string): string | undefined {
  try {
    // Cron itself would take anything with a colon for a date.
    new CronPattern(pattern, 'UTC', { mode: '5-or-6-parts' });
    const next = new Cron(pattern, { mode: '5-or-6-parts', timezone: 'UTC', paused: true }).nextRun();
    return next === null ? 'is a cron pattern whose time never comes; correct its day or month' : undefined;
  } catch (error) {
    // Of croner's text only the field's name is told: the rest repeats values, which may come from the environment.
    const field = error instanceof Error ? /Invalid value for (\w+):/.exec(error.message)?.[1] : undefined;
    const what = field === undefined ? 'is not a cron pattern' : `is not a cron pattern: its ${field} is out of range`;
    return `${what}; write five fields (minute, hour, day, month, day of week), such as "7 * * * *"`;
  }
}
