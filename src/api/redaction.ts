/** The characters that PHP escapes in HTML. */
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Replaces a secret in a text, whether plain, percent-encoded, escaped for JSON or HTML, or in base64. Ignores case. */
export function redact(text: string, secret: string): string {
  // The last base64 character may depend on the text after the secret, so omit it. A very short text would match by chance.
  const base64 = Buffer.from(secret).toString('base64').replace(/.=+$/, '');
  const digits = [...(base64.length > 3 ? base64 : '')].map((digit) => [digit, { '+': '-', '/': '_' }[digit] ?? digit]);
  // Allow any form of each character, because encoders differ in the characters that they escape.
  const spellings = [[...secret].map(formsOf), digits];
  let end = 0;
  return text.replace(/./gs, (character, start: number) => {
    if (start < end) return '';
    end = Math.max(...spellings.map((spelling) => endOf(spelling, text, start)));
    return end > start ? '[secret]' : character;
  });
}

/** The end of the longest match at `start`; `start` if there is no match. */
function endOf(spelling: readonly Iterable<string>[], text: string, start: number): number {
  let ends = new Set([start]);
  for (const forms of spelling) {
    const next = new Set<number>();
    for (const end of ends)
      for (const form of forms)
        if (text.slice(end, end + form.length).toUpperCase() === form.toUpperCase()) next.add(end + form.length);
    if (next.size === 0) return start;
    ends = next;
  }
  return Math.max(...ends);
}

/** All forms in which encoders write a character. */
function formsOf(character: string): ReadonlySet<string> {
  const percent = Buffer.from(character).toString('hex').replace(/../g, '%$&');
  const unicode = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const json = [JSON.stringify(character).slice(1, -1), `\\${character}`, unicode.join('')];
  return new Set([character, percent, ...json, entities[character] ?? character, character === ' ' ? '+' : character]);
}
