import type { Output } from './command.ts';

/** Characters that could control a terminal or disguise a text. A carriage return at the start or end belongs to a progress bar. */
const unsafe = /(?!^\r|\r$)[^\P{Cc}\t\n]|[\p{Bidi_Control}\u2028\u2029]/gu;

export function escapeForTerminal(text: string): string {
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes unsafe characters on terminals, because the output contains texts of the API. Does not change output to files and pipes. */
export function safeOutput(output: Output): Output {
  if (output.isTTY !== true) return output;
  return {
    isTTY: true,
    write: (text) => output.write(escapeForTerminal(text)),
    get writableLength() {
      return output.writableLength ?? 0;
    },
    once: (event, listener) => output.once?.(event, listener),
  };
}
