import messages from './messages.ru.json' with { type: 'json' };

/**
 * Russian texts of commands and pages, by their English texts. `{1}` stands for any text, and `<1>` for the Russian translation of the same
 * text. Some Russian texts start with a dash, which is removed unless a value in quotes precedes the text.
 */
export const russianTexts: Readonly<Record<string, string>> = messages;

const templates = Object.entries(messages).map(([english, russian]) => {
  const escaped = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('\\(s\\)', 's?');
  const text = escaped.replace(/\{(?!\d\})/g, '\\{').replace(/\{(\d)\}/g, (_, number) => `(?<v${number}>.*)`);
  // A message can start with a place, a key and a value. A question can end with its default.
  return { pattern: new RegExp(`^(?<before> *|.*?(?:: |" ))${text}(?<after>(?: \\[.*\\])?: |)$`), russian };
});

/** Translates the parts of each line. A part without a translation stays in English. */
export function inRussian(text: string): string {
  const parts = text.split(/(\n| · |-> )/).map(partInRussian);
  return parts.join('');
}

function partInRussian(part: string): string {
  for (const { pattern, russian } of templates) {
    const { before, after, ...values } = pattern.exec(part)?.groups ?? {};
    if (before === undefined) continue;
    const text = russian.replace(/([{<])(\d)[}>]/g, (_, mark, number) => {
      const value = values[`v${number}`] ?? '';
      return mark === '<' ? partInRussian(value) : value;
    });
    return before + (before.endsWith('" ') ? text : text.replace(/^— /, '')) + after;
  }
  return part;
}
