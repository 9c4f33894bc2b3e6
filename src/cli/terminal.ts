import { escapeControls } from '../config/values/wording.ts';
import type { LogDestination } from '../log.ts';

/**
 * The output of a command. On terminals, escapes characters that could control the terminal, because the output contains texts of the API.
 * Errors with these codes, such as a pipe closed by `head`, a full disk or a lost terminal, do not end the process.
 */
export function safeOutput(stream: NodeJS.WriteStream, ignoredCodes: readonly string[]): LogDestination {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!ignoredCodes.includes(error.code ?? '')) throw error;
  });
  return stream.isTTY ? escapedOutput(stream) : stream;
}

export function escapedOutput(output: LogDestination): LogDestination {
  return {
    write: (text) => output.write(escapeControls(text)),
    get writableLength() {
      return output.writableLength ?? 0;
    },
  };
}
