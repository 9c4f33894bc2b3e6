/**
 * Returns a function that replaces a secret, and each piece of six or more of its characters, in a text: plain, or in any two
 * nested encodings of JSON or JavaScript escapes, percent-encoding, HTML entities, hexadecimal and base64. A hexadecimal or
 * base64 text that contains a piece is replaced completely. Keeps at most the first 16 384 bytes of a text.
 */
export function redactor(secret: string): (text: string) => string {
  const { bytes } = unchanged(secret);
  if (bytes === '') return (text) => text;
  // Lenient encoders leave what already looks encoded, so decoding the text also decodes that part of the secret.
  const decoded = decodings(unchanged(secret), bytes.length).map((view) => view.bytes);
  const pieces = new Pieces([bytes, ...decoded.filter((other) => other.length >= minEncodedBytes)]);
  return (text) => {
    const original = unchanged(text.slice(0, maxBytes + secret.length * maxExpansion));
    const ranges = decodings(original, Math.min(bytes.length, pieceLength)).flatMap((view) => pieces.rangesIn(view));
    return ranges.length === 0 && text.length <= maxBytes / 3 ? text : replaceRanges(original.bytes, ranges);
  };
}

/** Bounds the time to decode to some 20 ms, and is far more than a message shows. */
const maxBytes = 16_384;

/** Characters per character of a secret in two nested encodings, such as entities whose characters are entities. */
const maxExpansion = 50;

/** Bytes. Shorter secrets are not searched in hexadecimal and base64, which would decode to them by chance. */
const minEncodedBytes = 3;

/** Characters of a secret that are replaced without the others, because an API or a proxy may have shortened it. */
const pieceLength = 6;

/** A decoded text, one character per byte. */
interface View {
  readonly bytes: string;
  /** Where a range of the bytes comes from in the original text. */
  readonly sourceOf: (range: Range) => Range;
}

type Range = readonly [start: number, end: number];

interface Decoder {
  /** Occurs in each text that the decoder changes. */
  readonly marker: string;
  /** Must match in linear time, because the API controls the text. */
  readonly pattern: RegExp;
  /** The bytes of a match; undefined if they cannot contain a secret of this size. */
  readonly decode: (match: string, size: number) => string | undefined;
  /** Whether the text between matches belongs to the decoded text. */
  readonly keepsRest: boolean;
}

const controlCharacters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const percentEncoding: Decoder = {
  marker: '%',
  pattern: /%[0-9a-f]{2}/gi,
  decode: (match) => String.fromCharCode(Number.parseInt(match.slice(1), 16)),
  keepsRest: true,
};

const decoders: readonly Decoder[] = [
  percentEncoding,
  {
    marker: '+',
    pattern: /%[0-9a-f]{2}|\+/gi,
    decode: (match, size) => (match === '+' ? ' ' : percentEncoding.decode(match, size)),
    keepsRest: true,
  },
  {
    marker: '\\',
    pattern: /\\u[0-9a-f]{4}(?:(?<=\\ud[89ab]..)\\ud[c-f][0-9a-f]{2})?|\\x[0-9a-f]{2}|\\./gis,
    decode: (match) => {
      if (match.length === 2) return controlCharacters[match.slice(1)] ?? match.slice(1);
      const units = match.slice(2).split(/\\u/i);
      return toBytes(String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
    },
    keepsRest: true,
  },
  {
    marker: '&',
    pattern: /&(?:#\d{1,8}|#x[0-9a-f]{1,8}|amp|lt|gt|quot|apos);/gi,
    decode: (match) => {
      const name = match.slice(1, -1).toLowerCase();
      if (!name.startsWith('#')) return namedEntities[name];
      const codePoint = Number(name.replace(/^#x/, '0x').replace(/^#/, ''));
      return codePoint > 0x10ffff ? undefined : toBytes(String.fromCodePoint(codePoint));
    },
    keepsRest: true,
  },
  {
    marker: '',
    pattern: /[0-9a-f](?:[ :-]?[0-9a-f])*/gi,
    decode: (match, size) => {
      const digits = match.replace(/[ :-]/g, '');
      return digits.length < 2 * size ? undefined : decodeAligned(digits, 'hex', 2);
    },
    keepsRest: false,
  },
  {
    marker: '',
    pattern: /[\w+/-]+(?:\r?\n[\w+/-]+)*={0,2}/g,
    decode: (match, size) => {
      const digits = match.replace(/[\r\n=]/g, '');
      return digits.length * 6 < size * 8 ? undefined : decodeAligned(digits, 'base64', 4);
    },
    keepsRest: false,
  },
];

/** Decodes from each possible start of a group of digits, because digits of another text may precede. */
function decodeAligned(digits: string, encoding: 'hex' | 'base64', group: number): string {
  const starts = Array.from({ length: group }, (_, start) => start);
  return starts.map((start) => Buffer.from(digits.slice(start), encoding).toString('latin1')).join('\n');
}

/** The text decoded never, once and twice. */
function decodings(original: View, secretSize: number): readonly View[] {
  const size = secretSize < minEncodedBytes ? Number.POSITIVE_INFINITY : secretSize;
  const decodeOnce = (view: View) => decoders.flatMap((decoder) => decode(view, decoder, size) ?? []);
  const once = decodeOnce(original);
  return [original, ...once, ...once.flatMap(decodeOnce)];
}

/** Undefined if the text contains nothing to decode. */
function decode(view: View, decoder: Decoder, size: number): View | undefined {
  const { marker, pattern, decode, keepsRest } = decoder;
  if (!view.bytes.includes(marker)) return undefined;
  const decodeMatch = (match: string) => decode(match, size);
  const bytes = keepsRest
    ? view.bytes.replace(pattern, (match) => decodeMatch(match) ?? match)
    : (view.bytes.match(pattern) ?? []).map((match) => decodeMatch(match) ?? '').join('');
  if (bytes === '' || bytes === view.bytes) return undefined;
  // Most texts contain no secret, so the pieces are computed only when one is found.
  let pieces: readonly Piece[] | undefined;
  return {
    bytes,
    sourceOf: ([start, end]) => {
      pieces ??= piecesOf(view.bytes, decoder, size);
      const first = pieceAt(pieces, start);
      const last = pieceAt(pieces, end - 1);
      return view.sourceOf([
        first.isCopy ? first.start + start - first.offset : first.start,
        last.isCopy ? last.start + end - last.offset : last.end,
      ]);
    },
  };
}

function piecesOf(bytes: string, { pattern, decode, keepsRest }: Decoder, size: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  let position = 0;
  const add = (length: number, end: number, isCopy: boolean) => {
    if (length > 0) pieces.push({ offset, start: position, end, isCopy });
    offset += length;
    position = end;
  };
  for (const { 0: match, index } of bytes.matchAll(pattern)) {
    const decoded = decode(match, size);
    if (decoded === undefined) continue;
    add(keepsRest ? index - position : 0, index, true);
    add(decoded.length, index + match.length, false);
  }
  add(keepsRest ? bytes.length - position : 0, bytes.length, true);
  return pieces;
}

/** Consecutive decoded bytes, and the range of the text before decoding that they come from. */
interface Piece extends Readonly<Record<'offset' | 'start' | 'end', number>> {
  readonly isCopy: boolean;
}

/** The piece that contains an offset of the decoded text. */
function pieceAt(pieces: readonly Piece[], offset: number): Piece {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pieces[low] ?? { offset: 0, start: 0, end: 0, isCopy: true };
}

function unchanged(text: string): View {
  return { bytes: toBytes(text), sourceOf: (range) => range };
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The pieces of secrets, as bytes. Ignores case, because a program may print a secret in capitals. */
class Pieces {
  /** By their number of bytes. */
  readonly #byLength: ReadonlyMap<number, ReadonlySet<string>>;
  /** Pairs of bytes with which pieces start. Most places in a text are ruled out by them. */
  readonly #starts = new Uint8Array(256 * 256);

  constructor(secrets: readonly string[]) {
    const pieces = new Set(secrets.flatMap((secret) => piecesIn(secret.toLowerCase())));
    for (const piece of pieces) this.#starts[startOf(piece, 0)] = 1;
    const byLength = Map.groupBy(pieces, ({ length }) => length);
    this.#byLength = new Map([...byLength].map(([length, group]) => [length, new Set(group)]));
  }

  /** Where pieces come from in the original text. */
  rangesIn({ bytes, sourceOf }: View): readonly Range[] {
    const text = bytes.toLowerCase();
    const ranges: Range[] = [];
    for (let start = 0; start < text.length; start += 1) {
      if (this.#starts[startOf(text, start)] === 0) continue;
      for (const [length, pieces] of this.#byLength) {
        if (pieces.has(text.slice(start, start + length))) ranges.push(sourceOf([start, start + length]));
      }
    }
    return ranges;
  }
}

/** A number for two bytes; the second is 0 at the end. */
function startOf(bytes: string, index: number): number {
  return bytes.charCodeAt(index) * 256 + (bytes.charCodeAt(index + 1) || 0);
}

/** All consecutive characters of this number, encoded as UTF-8; the whole secret if it is shorter. */
function piecesIn(secret: string): readonly string[] {
  // Bytes that continue a character start no piece.
  const starts = [...secret.matchAll(/[^\x80-\xbf]/g)].map(({ index }) => index);
  if (starts.length <= pieceLength) return [secret];
  return starts
    .slice(0, starts.length - pieceLength + 1)
    .map((start, index) => secret.slice(start, starts[index + pieceLength]));
}

function replaceRanges(bytes: string, ranges: readonly Range[]): string {
  let redacted = '';
  let position = 0;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start >= maxBytes) break;
    if (start >= position) redacted += `${bytes.slice(position, start)}[secret]`;
    position = Math.max(position, end);
  }
  return Buffer.from(redacted + bytes.slice(position, maxBytes), 'latin1').toString();
}
