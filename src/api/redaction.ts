/**
 * Returns a function that replaces a secret and its pieces of six characters, and keeps at most 4096 bytes of a text. The function
 * withholds the text if a piece is encoded by escapes, percent-encoding, HTML entities, hexadecimal, base64, or by two of these.
 */
export function redactor(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  const bytes = toBytes(secret);
  // Decoding a text also decodes escapes that are part of the secret. Therefore, search for the decoded secret, too.
  const decoded = decodings(bytes, escapes).filter(({ length }) => length >= minEncodedBytes);
  const pieces = new Set([bytes, ...decoded].flatMap((form) => piecesOf(form.toLowerCase())));
  const replace = replacer(Map.groupBy(pieces, ({ length }) => length));
  const decoders = bytes.length < minEncodedBytes ? escapes : [...escapes, ...binaryEncodings];
  return (text) => {
    const start = toBytes(text.slice(0, maxBytes + secret.length * maxExpansion));
    const rest = start.replaceAll(bytes, '\0');
    if (decodings(rest, decoders).some((view) => replace(view) !== view)) return withheld;
    return Buffer.from(replace(start, maxBytes), 'latin1').toString();
  };
}

const withheld = '[withheld, because it contains the secret]';

/** Maximum number of bytes of a redacted text. Decoding this number of bytes takes about 20 ms at most. */
const maxBytes = 4096;

/** Maximum length of one character after two encodings, such as an HTML entity whose characters are HTML entities. */
const maxExpansion = 50;

/** Secrets with fewer bytes are not searched for in hexadecimal and base64, because they would often match by chance. */
const minEncodedBytes = 3;

/** Number of characters of a piece. Pieces are replaced, too, because an API or a proxy may shorten the secret. */
const pieceLength = 6;

/** Undoes one encoding. Argument and result contain one character per byte. Must take linear time, because the API controls the text. */
type Decoder = (text: string) => string;

const controlCharacters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodePercent: Decoder = (text) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));

/** Encodings that replace single characters and keep the rest of the text. */
const escapes: readonly Decoder[] = [
  decodePercent,
  (text) => decodePercent(text.replaceAll('+', ' ')),
  (text) =>
    text.replace(
      /\\u[0-9a-f]{4}(?:(?<=\\ud[89ab]..)\\ud[c-f][0-9a-f]{2})?|\\x[0-9a-f]{2}|\\./gis,
      ([, character = '', ...digits]) => {
        if (digits.length === 0) return controlCharacters[character] ?? character;
        const units = digits.join('').split(/\\u/i);
        return toBytes(String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
      },
    ),
  (text) =>
    text.replace(/&(?:#(\d{1,8})|#x([0-9a-f]{1,8})|(amp|lt|gt|quot|apos));/gi, (entity, decimal, hex, name) => {
      if (name !== undefined) return namedEntities[name.toLowerCase()] ?? entity;
      const codePoint = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return codePoint > 0x10ffff ? entity : toBytes(String.fromCodePoint(codePoint));
    }),
];

const binaryEncodings: readonly Decoder[] = [
  (text) => decodeRuns(text, /[0-9a-f](?:[ :-]?[0-9a-f])*/gi, /[ :-]/g, 'hex', 2),
  (text) => decodeRuns(text, /[\w+/-]+(?:\r?\n[\w+/-]+)*={0,2}/g, /[\r\n=]/g, 'base64', 4),
];

/** Decodes runs of digits. Other digits may precede the encoded text, so decoding starts at each of the first `group` digits. */
function decodeRuns(text: string, run: RegExp, separator: RegExp, encoding: 'hex' | 'base64', group: number): string {
  const starts = Array.from({ length: group }, (_, start) => start);
  const runs = (text.match(run) ?? []).map((digits) => digits.replace(separator, ''));
  const decode = (digits: string) => Buffer.from(digits, encoding).toString('latin1');
  return runs.flatMap((digits) => starts.map((start) => decode(digits.slice(start)))).join('\n');
}

/** Decodes the text with each decoder, and with each pair of decoders. Omits decoders that do not change the text. */
function decodings(text: string, decoders: readonly Decoder[]): readonly string[] {
  const once = new Set(decoders.map((decode) => decode(text)));
  once.delete(text);
  return [...new Set([...once, ...[...once].flatMap((view) => decoders.map((decode) => decode(view)))])];
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** All pieces of `pieceLength` characters of a secret in UTF-8 bytes; the whole secret if it is shorter. */
function piecesOf(secret: string): readonly string[] {
  // A piece does not start inside a UTF-8 character.
  const starts = [...secret.matchAll(/[^\x80-\xbf]/g)].map(({ index }) => index);
  if (starts.length <= pieceLength) return [secret];
  return starts
    .slice(0, starts.length - pieceLength + 1)
    .map((start, index) => secret.slice(start, starts[index + pieceLength]));
}

/** Returns a function that replaces pieces of a secret. `pieces`: these pieces, by length. Ignores case, because programs may change it. */
function replacer(pieces: ReadonlyMap<number, readonly string[]>): (text: string, length?: number) => string {
  const sets = [...pieces].map(([length, group]) => [length, new Set(group)] as const);
  return (text, end = text.length) => {
    const lower = text.toLowerCase();
    let replaced = '';
    let covered = 0;
    for (let position = 0; position < Math.min(end, text.length); position += 1) {
      for (const [length, set] of sets) {
        if (!set.has(lower.slice(position, position + length))) continue;
        if (position >= covered) replaced += '[secret]';
        covered = Math.max(covered, position + length);
      }
      if (position >= covered) replaced += text.charAt(position);
    }
    return replaced;
  };
}
