import type { Document, LineCounter, YAMLError } from 'yaml';

/** What is wrong with a file's syntax, and the offset at which. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}

/** What is wrong with the syntax of a file, in our words. Warnings, such as unknown tags, are no less wrong here. */
export function syntaxProblems(
  { errors, warnings }: Document,
  text: string,
  lines: LineCounter,
): readonly SyntaxProblem[] {
  return independent([...errors, ...warnings], lines).map((error) => ({
    offset: error.pos[0],
    message: complaintOf(error, text),
  }));
}

type SyntaxErrorCode = YAMLError['code'];

/** In our own words: the library's texts repeat parts of the file, which may be part of a password. */
const syntaxComplaints: Readonly<Record<SyntaxErrorCode, string>> = {
  ALIAS_PROPS: 'an alias can have neither anchor nor tag; remove it, or quote the value if it is text',
  BAD_ALIAS: 'this is no alias; quote the value if it is text',
  BAD_COLLECTION_TYPE: 'this tag is of no use here; remove it, or quote the value if it is text',
  BAD_DIRECTIVE: 'a line that begins with % is a directive, and this one is unknown; remove it',
  BAD_DQ_ESCAPE: 'unknown escape after \\ in double quotes; write \\\\ for one \\, or use single quotes',
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed; line it up with its neighbours, with spaces',
  BAD_PROP_ORDER: 'anchor and tag stand in the wrong place; quote the value if it is text',
  BAD_SCALAR_START: 'a text can not begin with this character; put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a second ": " in one value; put the value in quotes, or correct the indentation of the next line',
  BLOCK_IN_FLOW: 'a block can not stand within { } or [ ]; write it in one line, or without the brackets',
  DUPLICATE_KEY: 'this key is there a second time; keep one of the two',
  IMPOSSIBLE: 'this is not YAML; see the lines above it',
  KEY_OVER_1024_CHARS: 'a key without an end; add the ":" or quote that is missing before',
  MISSING_CHAR: 'a quote, bracket, comma or ":" is missing here or before; add it, or correct the indentation',
  MULTILINE_IMPLICIT_KEY:
    'a key that goes on in the next line; correct its indentation, or add the ":" or quote that is missing',
  MULTIPLE_ANCHORS: 'two anchors on one value; keep one, or quote the value if it is text',
  MULTIPLE_DOCS: 'a second document begins here; the file must be one, so remove the line --- or ...',
  MULTIPLE_TAGS: 'two tags on one value; keep one, or quote the value if it is text',
  NON_STRING_KEY: 'a key must be plain text; quote it',
  RESOURCE_EXHAUSTION: 'nested too deeply; nothing in this file goes so deep',
  TAB_AS_INDENT: 'a tab as indentation; use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag after !; quote the value if it is text',
  UNEXPECTED_TOKEN: 'this does not belong here; check indentation, quotes and brackets of this line and the one before',
};

function complaintOf({ code, pos: [offset] }: YAMLError, text: string): string {
  if (text[offset] === '\t') return syntaxComplaints.TAB_AS_INDENT;
  if (text.slice(offset - 1, offset + 1) === variableStart) return `within { } or [ ], put "\${NAME}" in quotes`;
  return syntaxComplaints[code] ?? syntaxComplaints.IMPOSSIBLE;
}

const variableStart = `\${`;

/** Those that are not mere consequences of the ones before: the first of a line, and none after the place is lost. */
function independent(errors: readonly YAMLError[], lines: LineCounter): readonly YAMLError[] {
  const firsts = new Map<number, YAMLError>();
  for (const error of errors.toSorted((one, other) => one.pos[0] - other.pos[0])) {
    const { line } = lines.linePos(error.pos[0]);
    if (!firsts.has(line)) firsts.set(line, error);
    if (error.code === 'UNEXPECTED_TOKEN') break;
  }
  return [...firsts.values()];
}
