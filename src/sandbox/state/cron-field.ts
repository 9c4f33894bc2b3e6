const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Smallest and largest number of each schedule field, and the names that stand for the numbers from the smallest on. */
const ranges = {
  minutes: { from: 0, to: 59, names: [] },
  hours: { from: 0, to: 23, names: [] },
  days: { from: 1, to: 31, names: [] },
  months: { from: 1, to: 12, names: months },
  weekdays: { from: 0, to: 7, names: weekdays },
} satisfies Readonly<Record<string, { from: number; to: number; names: readonly string[] }>>;

export type ScheduleField = keyof typeof ranges;

export const scheduleFields = Object.keys(ranges) as readonly ScheduleField[];

/**
 * Whether a crontab may contain the text in this field: a list of `*`, numbers, names and ranges, each with an optional step. Not
 * croner, which also accepts patterns that the cron of a server does not know, such as `L` and `5#2`.
 */
export function isCronField(field: ScheduleField, text: string): boolean {
  const { from, to, names } = ranges[field];
  const numberOf = (part: string) => {
    const name = (names as readonly string[]).indexOf(part.toLowerCase());
    return name >= 0 ? from + name : /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN;
  };
  return text.split(',').every((item) => {
    const [range = '', step = '1', ...rest] = item.split('/');
    const [first = '', last = first, ...others] = range === '*' ? [String(from), String(to)] : range.split('-');
    const isRange = numberOf(first) >= from && numberOf(first) <= numberOf(last) && numberOf(last) <= to;
    const isStep = /^\d{1,2}$/.test(step) && Number(step) >= 1;
    return rest.length === 0 && others.length === 0 && isRange && isStep;
  });
}
