/**
 * One step of a page. The comments `<!-- test: … -->` of a page have these forms:
 *
 * - `run COMMAND` runs a command that the page does not show, for example to change a file.
 * - `file NAME` before a block writes the block to a file.
 * - `until "TEXT"` before a block of commands sends Ctrl-C when the output contains the text.
 * - `skip REASON` before a block of commands skips the block.
 */
export type Step =
  | { readonly kind: 'run'; readonly line: number; readonly commands: string }
  | { readonly kind: 'until'; readonly line: number; readonly commands: string; readonly text: string }
  | { readonly kind: 'file'; readonly line: number; readonly name: string; readonly content: string }
  | { readonly kind: 'skip'; readonly line: number; readonly commands: string; readonly reason: string };

interface Marker {
  readonly word: string;
  readonly rest: string;
}

interface Block {
  readonly language: string;
  readonly content: string;
  /** Line number of the first line of the content. */
  readonly line: number;
}

/** The steps of a Markdown page. Throws if a marker is invalid or belongs to no block. */
export function readSteps(page: string): readonly Step[] {
  const lines = page.split('\n');
  const steps: Step[] = [];
  let pending: Marker | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const marker = readMarker(line);
    const [, indent, language] = /^( *)```(\w*)$/.exec(line) ?? [];
    if (pending !== undefined && language === undefined) {
      throw new Error(`line ${index + 1}: the marker "${pending.word}" must be directly above a block`);
    }
    if (marker?.word === 'run') {
      steps.push({ kind: 'run', line: index + 1, commands: marker.rest });
    } else if (marker !== undefined) {
      pending = marker;
    } else if (indent !== undefined && language !== undefined) {
      const end = lines.indexOf(`${indent}\`\`\``, index + 1);
      const content = lines.slice(index + 1, end).map((text) => text.slice(indent.length));
      const step = toStep({ language, content: content.join('\n'), line: index + 2 }, pending);
      if (step !== undefined) steps.push(step);
      pending = undefined;
      index = end;
    }
  }
  return steps;
}

function readMarker(line: string): Marker | undefined {
  const [, word, rest] = /^ *<!-- test: (\w+) (.+) -->$/.exec(line) ?? [];
  if (word !== undefined && rest !== undefined) return { word, rest };
  if (line.includes('<!-- test')) throw new Error(`the marker is malformed: ${line.trim()}`);
  return undefined;
}

function toStep({ language, content, line }: Block, marker: Marker | undefined): Step | undefined {
  const { word, rest = '' } = marker ?? {};
  if (word === 'file') return { kind: 'file', line, name: rest, content: `${content}\n` };
  if (language !== 'sh') {
    if (word !== undefined) throw new Error(`line ${line}: "${word}" needs a block of commands`);
    return undefined;
  }
  const [, text] = /^"(.+)"$/.exec(rest) ?? [];
  if (word === undefined) return { kind: 'run', line, commands: content };
  if (word === 'skip') return { kind: 'skip', line, commands: content, reason: rest };
  if (word === 'until' && text !== undefined) return { kind: 'until', line, commands: content, text };
  throw new Error(`line ${line}: unknown marker "${word} ${rest}"`);
}
