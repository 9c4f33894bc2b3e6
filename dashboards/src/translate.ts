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

/** Override properties whose values are visible texts. */
const textProperties = new Set(['displayName', 'noValue']);

/** Applies `transform` to every visible text of the dashboard. Does not change queries, ids and positions. */
export function mapTexts(dashboard: Dashboard, transform: (english: string) => string): Dashboard {
  return mapValue(dashboard, '', transform) as Dashboard;
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

function mapValue(value: unknown, key: string, transform: (english: string) => string): unknown {
  if (typeof value === 'string') {
    return textKeys.has(key) ? mapText(value, transform) : key === 'unit' ? mapUnit(value, transform) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => mapValue(item, key, transform));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value);
  const id = 'id' in value && typeof value.id === 'string' ? value.id : '';
  const isAnnotation = 'iconColor' in value && !('builtIn' in value);
  return Object.fromEntries(
    entries.map(([name, item]): [string, unknown] => {
      if (name === 'current' || 'builtIn' in value) {
        return [name, item];
      }
      if (name === 'value' && typeof item === 'string' && textProperties.has(id)) {
        return [name, mapText(item, transform)];
      }
      if (name === 'value' && typeof item === 'string' && id === 'unit') {
        return [name, mapUnit(item, transform)];
      }
      if (name === 'name' && typeof item === 'string' && isAnnotation) {
        return [name, mapText(item, transform)];
      }
      return [name, mapValue(item, name, transform)];
    }),
  );
}

// Does not translate a legend that consists only of placeholders.
function mapText(text: string, transform: (english: string) => string): string {
  return /\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, '')) ? transform(text) : text;
}

function mapUnit(unit: string, transform: (english: string) => string): string {
  const [, word] = /^suffix:(.*)$/.exec(unit) ?? [];
  return word === undefined || !/\p{L}/u.test(word) ? unit : `suffix:${transform(word)}`;
}
