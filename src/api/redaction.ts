const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Returns a function that replaces a secret in a text, in any encoding: plain, percent-encoded, escaped for JSON or HTML
 * (each character independently), or base64.
 */
export function redactor(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  const escaped = [...secret].map((character) => `(?:${encodingsOf(character).map(escapePattern).join('|')})`).join('');
  const bytes = Buffer.from(secret);
  const base64 = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')].map(escapePattern);
  const pattern = new RegExp([escaped, ...base64.map((text) => `${text}=*`)].join('|'), 'giu');
  return (text) => text.replace(pattern, '[secret]');
}

/** All encodings of one character, the longest first. The pattern ignores case. */
function encodingsOf(character: string): readonly string[] {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const hex = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const codePoint = character.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const json = JSON.stringify(character).slice(1, -1);
  const encodings = [
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
  return [...new Set(encodings.filter((encoding) => encoding !== undefined))];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
