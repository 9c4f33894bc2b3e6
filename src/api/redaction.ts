/** The characters that PHP escapes in HTML. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

/** Returns a function that replaces a secret in a text, whether plain, percent-encoded, escaped for JSON or HTML, or in base64. */
export function redactor(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  // Match any form of each character, because encoders differ in the characters that they escape.
  const patterns = [[...secret].map((character) => `(?:${formsOf(character).map(escapePattern).join('|')})`).join('')];
  // The last base64 character may depend on the text after the secret, so omit it. A very short pattern would match other text.
  const base64 = Buffer.from(secret).toString('base64').replace(/.=+$/, '');
  if (base64.length > 3) patterns.push(base64.replaceAll('+', '[+-]').replaceAll('/', '[/_]'));
  const pattern = new RegExp(patterns.join('|'), 'giu');
  return (text) => text.replace(pattern, '[secret]');
}

/** All forms in which encoders write a character, the longest first. */
function formsOf(character: string): readonly string[] {
  const percent = Buffer.from(character).toString('hex').replace(/../g, '%$&');
  const unicode = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const json = [JSON.stringify(character).slice(1, -1), `\\${character}`, unicode.join('')];
  const forms = [character, percent, ...json, entities[character] ?? character, character === ' ' ? '+' : character];
  return forms.sort((one, other) => other.length - one.length);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
