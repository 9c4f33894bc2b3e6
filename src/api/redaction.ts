/** Names of the characters that HTML escapes. */
const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Returns a function that replaces a secret in a text: plain, percent-encoded, escaped for JSON or HTML, or in base64. */
export function redactor(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  const characters = [...secret].map((character) => `(?:${formsOf(character).map(escapePattern).join('|')})`);
  const pattern = new RegExp([characters.join(''), ...base64Of(secret).map(escapePattern)].join('|'), 'giu');
  return (text) => text.replace(pattern, '[secret]');
}

/** All forms of a character, the longest first. Encoders differ in the characters that they escape. */
function formsOf(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(character)].map((byte) => `%${toHex(byte, 2)}`).join('');
  const unicode = character.split('').map((unit) => `\\u${toHex(unit.charCodeAt(0), 4)}`);
  const json = [JSON.stringify(character).slice(1, -1), `\\${character}`, unicode.join('')];
  const html = [`&${entities[character] ?? 'amp'};`, `&#${code};`, `&#0${code};`, `&#x${toHex(code, 2)};`];
  const plain = [character, percent, ...(character === ' ' ? ['+'] : [])];
  return [...plain, ...json, ...html].sort((one, other) => other.length - one.length);
}

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** The characters that do not depend on neighbors, for each offset of the secret in the encoded text. Omits very short secrets. */
function base64Of(secret: string): readonly string[] {
  const forms = [0, 2, 3].map((dependent, offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const isComplete = bytes.length % 3 === 0;
    return bytes.toString('base64url').slice(dependent, isComplete ? undefined : -1);
  });
  const long = forms.filter(({ length }) => length > 3);
  return [...long, ...long.map((form) => form.replaceAll('-', '+').replaceAll('_', '/'))];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
