import type { PageLanguage } from './language.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const noBreakSpace = '\u00a0';

const units = {
  en: { bytes: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], second: 's', minute: 'min', hour: 'h', day: 'd' },
  ru: { bytes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ', 'ПБ'], second: 'с', minute: 'мин', hour: 'ч', day: 'дн.' },
} as const;

export type Formatter = ReturnType<typeof createFormat>;

/** Formatters are created once, because the constructors of Intl are slow. */
export const formats: Readonly<Record<PageLanguage, Formatter>> = { en: createFormat('en'), ru: createFormat('ru') };

function createFormat(language: PageLanguage) {
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
  const withUnit = (number: string, name: string) => `${number}${noBreakSpace}${name}`;
  const digitsFor = (value: number) => (Math.abs(value) < 10 ? 1 : 0);
  return {
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
      const exponent = size < 1 ? 0 : Math.min(Math.floor(Math.log10(size) / 3), unit.bytes.length - 1);
      const amount = value / 1000 ** exponent;
      return withUnit(round(amount, exponent === 0 ? 0 : digitsFor(amount)), unit.bytes[exponent] ?? '');
    },
    /** A duration in one rounded unit, such as `<1 min`, `12 min`, `3 h` or `2 d`. */
    duration: (milliseconds: number) => {
      if (milliseconds < minute) return `<${withUnit('1', unit.minute)}`;
      if (milliseconds < 2 * hour) return withUnit(round(milliseconds / minute, 0), unit.minute);
      if (milliseconds < 2 * day) return withUnit(round(milliseconds / hour, 0), unit.hour);
      return withUnit(round(milliseconds / day, 0), unit.day);
    },
    seconds: (value: number) => withUnit(round(value, value < 1 ? 2 : value < 10 ? 1 : 0), unit.second),
    /** A number of days, such as `<1 d` or `30 d`. */
    days: (count: number) => (count < 1 ? `<${withUnit('1', unit.day)}` : withUnit(round(count, 0), unit.day)),
    /** A time in UTC with seconds. */
    time: (milliseconds: number) => times.format(milliseconds),
    /** A time in UTC without seconds. */
    minute: (milliseconds: number) => minutes.format(milliseconds),
    date: (milliseconds: number) => dates.format(milliseconds),
  };
}
