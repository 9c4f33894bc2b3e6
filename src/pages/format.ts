import type { Language } from './language.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Numbers, sizes and times in one language. */
export interface Format {
  /** At most two decimals. */
  number(value: number): string;
  /** Two decimals. */
  money(value: number): string;
  /** Whole percent; below 10 % with one decimal. */
  percent(ratio: number): string;
  /** In decimal units, with three digits. */
  bytes(value: number): string;
  /** `<1 min`, `12 min`, `3 h` or `2 d`: one rounded unit. */
  duration(milliseconds: number): string;
  /** Seconds with a precision that suits their size. */
  seconds(value: number): string;
  /** Whole days: `<1 d` or `30 d`. */
  days(count: number): string;
  /** The exact time in UTC. */
  time(milliseconds: number): string;
  /** Date, hour and minute in UTC. */
  minute(milliseconds: number): string;
  /** The date in UTC. */
  date(milliseconds: number): string;
}

interface Units {
  readonly bytes: readonly string[];
  readonly second: string;
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
}

/** A space that does not break a line. */
const gap = '\u00a0';

const units: Readonly<Record<Language, Units>> = {
  en: { bytes: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], second: 's', minute: 'min', hour: 'h', day: 'd' },
  ru: { bytes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ', 'ПБ'], second: 'с', minute: 'мин', hour: 'ч', day: 'дн.' },
};

/** Created once: the constructors of Intl are slow. */
export const formats: Readonly<Record<Language, Format>> = { en: createFormat('en'), ru: createFormat('ru') };

function createFormat(language: Language): Format {
  const unit = units[language];
  const locale = language === 'en' ? 'en-GB' : 'ru-RU';
  const decimals = [0, 1, 2].map((maximumFractionDigits) => new Intl.NumberFormat(locale, { maximumFractionDigits }));
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const dateStyle = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  const dates = new Intl.DateTimeFormat(locale, dateStyle);
  const timeStyle = { ...dateStyle, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const minutes = new Intl.DateTimeFormat(locale, timeStyle);
  const times = new Intl.DateTimeFormat(locale, { ...timeStyle, second: '2-digit' });
  const round = (value: number, digits: 0 | 1 | 2) => decimals[digits]?.format(value) ?? '';
  const withUnit = (number: string, name: string) => `${number}${gap}${name}`;
  const digitsFor = (value: number) => (Math.abs(value) < 10 ? 1 : 0);
  return {
    number: (value) => round(value, 2),
    money: (value) => money.format(value),
    percent: (ratio) => {
      const percent = ratio * 100;
      const text = round(percent, digitsFor(percent));
      return language === 'ru' ? withUnit(text, '%') : `${text}%`;
    },
    bytes: (value) => {
      const size = Math.abs(value);
      const exponent = size < 1 ? 0 : Math.min(Math.floor(Math.log10(size) / 3), unit.bytes.length - 1);
      const amount = value / 1000 ** exponent;
      return withUnit(round(amount, exponent === 0 ? 0 : digitsFor(amount)), unit.bytes[exponent] ?? '');
    },
    duration: (milliseconds) => {
      if (milliseconds < minute) return `<${withUnit('1', unit.minute)}`;
      if (milliseconds < 2 * hour) return withUnit(round(milliseconds / minute, 0), unit.minute);
      if (milliseconds < 2 * day) return withUnit(round(milliseconds / hour, 0), unit.hour);
      return withUnit(round(milliseconds / day, 0), unit.day);
    },
    seconds: (value) => withUnit(round(value, value < 1 ? 2 : value < 10 ? 1 : 0), unit.second),
    days: (count) => (count < 1 ? `<${withUnit('1', unit.day)}` : withUnit(round(count, 0), unit.day)),
    time: (milliseconds) => times.format(milliseconds),
    minute: (milliseconds) => minutes.format(milliseconds),
    date: (milliseconds) => dates.format(milliseconds),
  };
}
