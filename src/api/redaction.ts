const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * A function that takes a secret out of a text, in whatever way it was written into it: as it is, percent-encoded as
 * in a form, escaped as in JSON or HTML, each character in its own way, or as base64.
 */
export function redactor(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  const escaped = [...secret].map((character) => `(?:${writings(character).map(escapePattern).join('|')})`).join('');
  const bytes = Buffer.from(secret);
  const base64 = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')].map(escapePattern);
  const pattern = new RegExp([escaped, ...base64.map((form) => `${form}=*`)].join('|'), 'giu');
  return (text) => text.replace(pattern, '[secret]');
}

/** The ways to write one character, the longest first. Letters of either case match each other. */
function writings(character: string): readonly string[] {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const hex = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const codePoint = character.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const json = JSON.stringify(character).slice(1, -1);
  const forms = [
    hex,
    percent,
    `&#${codePoint};`,
    `&#0${codePoint};`,
    `&#x${codePoint.toString(16)};`,
    htmlEntities[character],
    json,
    character === '/' ? '\\/' : undefined,
    character === ' ' ? '+' : undefined,
    character,
  ];
  return [...new Set(forms.filter((form) => form !== undefined))];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
