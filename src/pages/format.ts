import type { Language } from '../rules/languages.ts';
import { dateOf } from '../store/daily-memory.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Limits a time to the range of JavaScript dates. A damaged state file may contain a time outside this range. */
export function possibleTime(time: number): number {
  return Math.min(Math.max(time, -8.64e15), 8.64e15);
}

const noBreakSpace = '\u00a0';

const locales = { en: 'en-GB', ru: 'ru-RU' } as const;

const units = {
  en: { bytes: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], millisecond: 'ms', second: 's', minute: 'min', hour: 'h' },
  ru: { bytes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ', 'ПБ'], millisecond: 'мс', second: 'с', minute: 'мин', hour: 'ч' },
} as const;

export type Formatter = ReturnType<typeof createFormat>;

/** The formatters are created once, because the constructors of Intl are slow. */
const formats = new Map<string, Formatter>();

export function formatOf(language: Language, timeZone: string): Formatter {
  const key = `${language} ${timeZone}`;
  const format = formats.get(key) ?? createFormat(language, timeZone);
  formats.set(key, format);
  return format;
}

function createFormat(language: Language, timeZone: string) {
  const locale = locales[language];
  const dateStyle = { year: 'numeric', month: 'short', day: 'numeric', timeZone } as const;
  const dates = new Intl.DateTimeFormat(locale, dateStyle);
  const timeStyle = { ...dateStyle, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const minutes = new Intl.DateTimeFormat(locale, timeStyle);
  const times = new Intl.DateTimeFormat(locale, { ...timeStyle, second: '2-digit' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dayNumber = (time: number) => Math.round(Date.parse(dateOf(possibleTime(time), timeZone)) / day);
  const unit = units[language];
  const decimals = [0, 1, 2].map((maximumFractionDigits) => new Intl.NumberFormat(locale, { maximumFractionDigits }));
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const inDays = { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  const wholeDays = new Intl.NumberFormat(locale, inDays);
  const round = (value: number, digits: 0 | 1 | 2) => decimals[digits]?.format(value) ?? '';
  const withUnit = (number: string, name: string) => `${number}${noBreakSpace}${name}`;
  const digitsFor = (value: number) => (Math.abs(value) < 10 ? 1 : 0);
  return {
    timeZone,
    /** A time with seconds and the time zone. */
    time: (milliseconds: number) => times.format(possibleTime(milliseconds)),
    /** A time with the time zone, without seconds. */
    minute: (milliseconds: number) => minutes.format(possibleTime(milliseconds)),
    date: (milliseconds: number) => dates.format(possibleTime(milliseconds)),
    dates: (from: number, to: number) => dates.formatRange(from, to),
    /** The number of midnights from `now` to `time`; negative if `time` is before `now`. */
    daysUntil: (time: number, now: number) => dayNumber(time) - dayNumber(now),
    /** A number of days as words: `yesterday`, `today`, `tomorrow` or `in 5 days`. */
    relativeDay: (days: number) => relative.format(days, 'day'),
    number: (value: number) => round(value, 2),
    money: (value: number) => money.format(value),
    percent: (ratio: number) => {
      const percent = ratio * 100;
      const text = round(percent, digitsFor(percent));
      return language === 'ru' ? withUnit(text, '%') : `${text}%`;
    },
    /** A size in decimal units, such as `1.5 GB`. */
    bytes: (value: number) => {
      const size = Math.abs(value);
      const power = size < 1 ? 0 : Math.floor(Math.log10(size) / 3);
      // Print 999,999 bytes as 1 MB, not as 1,000 kB.
      const exponent = Math.min(power + (Math.round(size / 1000 ** power) === 1000 ? 1 : 0), unit.bytes.length - 1);
      const amount = value / 1000 ** exponent;
      return withUnit(round(amount, exponent === 0 ? 0 : digitsFor(amount)), unit.bytes[exponent] ?? '');
    },
    /** A duration in one rounded unit, such as `<1 min`, `12 min`, `3 h` or `2 days`. */
    duration: (milliseconds: number) => {
      if (milliseconds < minute) return `<${withUnit('1', unit.minute)}`;
      if (milliseconds < 2 * hour) return withUnit(round(milliseconds / minute, 0), unit.minute);
      if (milliseconds < 2 * day) return withUnit(round(milliseconds / hour, 0), unit.hour);
      return wholeDays.format(milliseconds / day);
    },
    /** Formats a short duration, which is given in seconds. Below 0.1 s, the unit is milliseconds. */
    seconds: (value: number) =>
      value < 0.1
        ? withUnit(round(value * 1000, value < 0.01 ? 1 : 0), unit.millisecond)
        : withUnit(round(value, value < 1 ? 2 : value < 10 ? 1 : 0), unit.second),
  };
}
