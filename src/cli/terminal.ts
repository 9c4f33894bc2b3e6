import { writeError } from '../config/values/config-error.ts';
import { escapeControls } from '../config/values/wording.ts';
import type { LogDestination } from '../log.ts';

/**
 * The output of a command. On terminals, escapes characters that could control the terminal, because the output contains texts of the API.
 * Errors with `ignoredCodes`, such as a pipe closed by `head`, a full disk or a lost terminal, do not end the process. After the
 * first call of `write` with the callback `done`, the callers handle all errors.
 */
export function safeOutput(stream: NodeJS.WriteStream, ignoredCodes: readonly string[]): LogDestination {
  let isAwaited = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isAwaited && !ignoredCodes.includes(error.code ?? '')) throw writeError('stdout', error);
  });
  return {
    write: (text, done) => {
      isAwaited ||= done !== undefined;
      return stream.write(stream.isTTY ? escapeControls(text) : text, done);
    },
    get writableLength() {
      return stream.writableLength;
    },
  };
}
