import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import type { Credentials, Secret } from './config.ts';
import { ConfigError } from './config-error.ts';
import { readOr } from './expected-error.ts';
import { type ReadFailure, readTextFileSync, type TextFile } from './text-file.ts';

/** Maximum number of bytes of a secret file. Passwords and tokens are shorter, so a larger file was named by mistake. */
const maxSize = 65_536;

export function inlineSecret(secret: string): Secret {
  return hidden({ digest: hash('sha256', secret), reveal: () => secret });
}

/** `reveal` reads the file each time, so that a rotated secret needs no restart. A removed or empty file is an error. */
export function fileSecret(path: string, kind: Credentials['kind']): Secret {
  const reveal = () => {
    const file = readSecretFile(path, kind);
    if ('failure' in file) throw new ConfigError([{ source: path, message: file.failure }]);
    return file.text;
  };
  return hidden({ file: path, digest: hash('sha256', readOr('', reveal)), reveal });
}

export function secretOf(credentials: Credentials): Secret {
  return credentials.kind === 'token' ? credentials.token : credentials.password;
}

/** Reads and validates a secret file. One newline at the end of the file is not part of the secret. */
export function readSecretFile(path: string, kind: Credentials['kind']): TextFile | ReadFailure {
  const file = readTextFileSync(path, maxSize);
  if ('failure' in file) return file;
  const text = file.text.replace(/\r?\n$/, '');
  const failure = validateSecret(text, kind);
  return failure === undefined ? { ...file, text } : { failure };
}

/** Returns why a text is not a secret of this kind, without repeating the text; undefined if it is one. */
export function validateSecret(text: string, kind: Credentials['kind']): string | undefined {
  if (text === '') return `is empty; write the ${kind}`;
  if (/[\r\n]/.test(text)) return `has more than one line; write only the ${kind}`;
  if (kind === 'token' && !/^[\x21-\x7e]+$/.test(text)) {
    return 'contains a space or another character that is not allowed in a token; write only the token';
  }
  return undefined;
}

/** Makes a secret appear as `[secret]` when it is printed or serialized. */
function hidden(secret: Secret): Secret {
  const shown = () => '[secret]';
  return Object.freeze({ ...secret, toString: shown, toJSON: shown, [inspect.custom]: shown });
}
