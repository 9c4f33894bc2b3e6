import type { Dashboard } from '@grafana/schema';

/** English words and what they are in another language. */
export type Translations = Readonly<Record<string, string>>;

/**
 * The text in the other language, undefined where the table has none. An entry may say `#` where a number stands,
 * so that another threshold needs no other words; the numbers keep their order.
 */
export function translation(english: string, translations: Translations): string | undefined {
  const exact = translations[english];
  if (exact !== undefined) {
    return exact;
  }
  const numbers = english.match(number) ?? [];
  return translations[keyOf(english)]?.replaceAll('#', () => numbers.shift() ?? '');
}

const number = /\d+(?:\.\d+)?/g;

/** The words under which a text with numbers stands in the table. */
export function keyOf(english: string): string {
  return english.replaceAll(number, '#');
}

/** Keys of a dashboard whose text a reader sees. */
const readable = new Set([
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

/** Properties of an override whose value a reader sees. */
const readableProperties = new Set(['displayName', 'noValue']);

/** The dashboard with every text that a reader sees put through `say`; queries, ids and places stay as they are. */
export function withTexts(dashboard: Dashboard, say: (english: string) => string): Dashboard {
  return walked(dashboard, '', say) as Dashboard;
}

/** All texts of a dashboard that a reader sees. */
export function textsOf(dashboard: Dashboard): ReadonlySet<string> {
  const found = new Set<string>();
  withTexts(dashboard, (english) => {
    found.add(english);
    return english;
  });
  return found;
}

function walked(value: unknown, key: string, say: (english: string) => string): unknown {
  if (typeof value === 'string') {
    return readable.has(key) ? said(value, say) : key === 'unit' ? suffixed(value, say) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => walked(item, key, say));
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
      if (name === 'value' && typeof item === 'string' && readableProperties.has(id)) {
        return [name, said(item, say)];
      }
      if (name === 'value' && typeof item === 'string' && id === 'unit') {
        return [name, suffixed(item, say)];
      }
      if (name === 'name' && typeof item === 'string' && isAnnotation) {
        return [name, said(item, say)];
      }
      if (name === 'fields' && typeof item === 'string') {
        return [name, item.replaceAll(/[^/^()|$]+/g, (word) => say(word))];
      }
      return [name, walked(item, name, say)];
    }),
  );
}

// What Grafana fills in by itself has no words of ours.
function said(text: string, say: (english: string) => string): string {
  return /\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, '')) ? say(text) : text;
}

function suffixed(unit: string, say: (english: string) => string): string {
  const [, word] = /^suffix:(.*)$/.exec(unit) ?? [];
  return word === undefined || !/\p{L}/u.test(word) ? unit : `suffix:${say(word)}`;
}
