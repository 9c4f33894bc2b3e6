import { hash } from 'node:crypto';
import ical, { ICalAlarmType, ICalEventTransparency } from 'ical-generator';
import type { TextContext } from './context.ts';
import type { FleetReport } from './report.ts';

const day = 86_400;

/** The times of reminders, in seconds before the day of an event: 7 days and 1 day. */
const reminders = [7 * day, day];

/** The dates of the accounts as all-day events with reminders. An event keeps its UID when a payment or renewal moves it. */
export function calendarOf({ texts }: Pick<TextContext, 'texts'>, { time, accounts }: FleetReport): string {
  const calendar = ical({ name: texts.calendar, prodId: '//hosting-account-exporter//calendar//EN', ttl: day / 4 });
  for (const { account, page, dates = [] } of accounts) {
    for (const { kind, item = '', date, text, renews } of dates) {
      const id = hash('sha256', JSON.stringify([account, kind, item])).slice(0, 32);
      const event = calendar.createEvent({
        id: `${id}@hosting-account-exporter`,
        summary: `${account}: ${text}`,
        start: new Date(date),
        allDay: true,
        // Only the date, because a time of day would change the calendar with each request.
        stamp: new Date(time.slice(0, 10)),
        transparency: ICalEventTransparency.TRANSPARENT,
        description: renews === undefined ? null : renews ? texts.renewsItself : texts.renewByHand,
        url: page ?? null,
      });
      for (const trigger of renews ? [] : reminders) event.createAlarm({ type: ICalAlarmType.display, trigger });
    }
  }
  return `${calendar}\r\n`;
}
