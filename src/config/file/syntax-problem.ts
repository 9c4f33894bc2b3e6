import type { Document, LineCounter, YAMLError } from 'yaml';

/** The syntax errors of a file, with their offsets. The parser's warnings, such as unknown tags, count as errors. */
export function syntaxProblems({ errors, warnings }: Document, text: string, lines: LineCounter) {
  return independent([...errors, ...warnings], lines).map((error) => ({
    offset: error.pos[0],
    message: messageFor(error, text),
  }));
}

/** The exporter's own messages, because the parser's messages quote the file, which may contain a password. */
const messages: Readonly<Record<YAMLError['code'], string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag; remove it, or quote the value if it is text',
  BAD_ALIAS: 'invalid alias; quote the value if it is text',
  BAD_COLLECTION_TYPE: 'this tag does not fit the value; remove it, or quote the value if it is text',
  BAD_DIRECTIVE: 'unknown directive; remove the line that starts with %',
  BAD_DQ_ESCAPE: 'unknown escape after \\ in double quotes; write \\\\ for one \\, or use single quotes',
  BAD_INDENT: 'wrong indentation, or an unclosed bracket; indent with spaces, like the neighboring lines',
  BAD_PROP_ORDER: 'anchor or tag in the wrong place; quote the value if it is text',
  BAD_SCALAR_START: 'plain text cannot start with this character; quote the text',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one value; quote the value, or correct the indentation of the next line',
  BLOCK_IN_FLOW: 'a block is not allowed inside { } or [ ]; write it on one line, or without the brackets',
  DUPLICATE_KEY: 'duplicate key; keep one of them',
  IMPOSSIBLE: 'invalid YAML; check the lines above',
  KEY_OVER_1024_CHARS: 'a key without an end; add the missing ":" or quote before it',
  MISSING_CHAR: 'a quote, bracket, comma or ":" is missing here or before; add it, or correct the indentation',
  MULTILINE_IMPLICIT_KEY:
    'a key that continues on the next line; correct its indentation, or add the missing ":" or quote',
  MULTIPLE_ANCHORS: 'two anchors on one value; keep one, or quote the value if it is text',
  MULTIPLE_DOCS: 'a second document starts here; a file contains one document, so remove the line --- or ...',
  MULTIPLE_TAGS: 'two tags on one value; keep one, or quote the value if it is text',
  NON_STRING_KEY: 'a key must be plain text; quote it',
  RESOURCE_EXHAUSTION: 'nested too deeply; no setting is nested that deeply',
  TAB_AS_INDENT: 'a tab as indentation; use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag after !; quote the value if it is text',
  UNEXPECTED_TOKEN: 'unexpected text; check indentation, quotes and brackets of this line and the previous line',
};

function messageFor({ code, pos: [offset] }: YAMLError, text: string): string {
  if (text[offset] === '\t') return messages.TAB_AS_INDENT;
  if (text.slice(offset - 1, offset + 1) === '$' + '{') return `inside { } or [ ], write "\${NAME}" with quotes`;
  return messages[code] ?? messages.IMPOSSIBLE;
}

/** The first error of each line. Omits errors after an unexpected token, because the token causes them. */
function independent(errors: readonly YAMLError[], lines: LineCounter): readonly YAMLError[] {
  const sorted = errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  const unexpected = sorted.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN');
  const independent = unexpected === -1 ? sorted : sorted.slice(0, unexpected + 1);
  return [...Map.groupBy(independent, ({ pos }) => lines.linePos(pos[0]).line).values()].flatMap(
    ([first]) => first ?? [],
  );
}
