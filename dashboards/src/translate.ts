import type { Dashboard } from '@grafana/schema';
import { publishedRunbooks } from '../../src/rules/derive.ts';

/** English texts and their translations. */
export type Translations = Readonly<Record<string, string>>;

/**
 * The translated text; undefined if the table has no entry for it. A `#` in an entry matches any number, so a changed threshold
 * requires no new translation. The numbers keep their order and get a decimal comma.
 */
export function translation(english: string, translations: Translations): string | undefined {
  const exact = translations[english];
  if (exact !== undefined) {
    return exact;
  }
  const numbers = english.match(number) ?? [];
  return translations[translationKey(english)]?.replaceAll('#', () => numbers.shift()?.replace('.', ',') ?? '');
}

const number = /\d+(?:\.\d+)?/g;

/** The key of a text in the table, with `#` in place of each number. */
export function translationKey(english: string): string {
  return english.replaceAll(number, '#');
}

/** Translates every text. Links lead to the dashboards and runbooks of the same language. Throws if a translation is missing. */
export function translateDashboard(dashboard: Dashboard, translations: Translations, language: string): Dashboard {
  const translated = mapTexts(dashboard, (english) => {
    const text = translation(english, translations);
    if (text === undefined) {
      throw new Error(`No translation to "${language}" for: ${english}`);
    }
    return text;
  });
  const linked = JSON.stringify(translated)
    .replaceAll(/(?<=\/d\/hosting-[a-z]+)(?=[?"])/g, `-${language}`)
    .replaceAll(`${publishedRunbooks}/`, `${publishedRunbooks}/${language}/`);
  return { ...(JSON.parse(linked) as Dashboard), uid: `${dashboard.uid}-${language}` };
}

/** Keys of a dashboard whose values are visible texts. */
const textKeys = new Set([
  'content',
  'description',
  'displayName',
  'label',
  'legendFormat',
  'noValue',
  'text',
  'title',
  'tooltip',
]);

/** Applies `transform` to every visible text of the dashboard. Does not change queries, ids and positions. */
export function mapTexts(dashboard: Dashboard, transform: (english: string) => string): Dashboard {
  return JSON.parse(JSON.stringify(dashboard), function (this: object, key: string, value: unknown) {
    if (typeof value !== 'string') return value;
    // A property of an override is an object: `id` is the name of the property, and `value` its value.
    const name = key === 'value' && 'id' in this ? String(this.id) : key;
    if (name === 'unit') return value.replace(/(?<=^suffix:).*\p{L}.*/u, (word) => transform(word));
    const isAnnotation = name === 'name' && 'iconColor' in this && !('builtIn' in this);
    const isAll = 'value' in this && this.value === '$__all';
    // A legend may consist only of placeholders.
    const hasWords = /\p{L}/u.test(value.replaceAll(/\{\{.*?\}\}/g, ''));
    return (textKeys.has(name) || isAnnotation) && !isAll && hasWords ? transform(value) : value;
  }) as Dashboard;
}

/** All visible texts of a dashboard. */
export function textsOf(dashboard: Dashboard): ReadonlySet<string> {
  const found = new Set<string>();
  mapTexts(dashboard, (english) => {
    found.add(english);
    return english;
  });
  return found;
}
