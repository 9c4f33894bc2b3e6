import { inspect } from 'node:util';
import type { Secret } from './config.ts';
import { ConfigError } from './config-error.ts';
import { readTextFile, type TextFile, type Unread, versionOf } from './text-file.ts';

export type SecretKind = 'password' | 'token';

/** Far more than any password or token, and far less than a file that was meant for something else. */
const largestSecret = 65_536;

/** Milliseconds in which a file may change again without its time of change telling. */
const coarsestClock = 2000;

/** A secret that is written in the configuration or the environment itself. */
export function inlineSecret(secret: string): Secret {
  return hidden({ reveal: () => secret });
}

/**
 * A secret that lives in a file. `reveal` looks at the file each time (one stat) and reads it again when it changed. A
 * file that has gone or is empty makes `reveal` throw, and the secret that it held is forgotten: whoever takes a secret
 * away means it, the poll's failure says so at once, and no empty password is ever sent. The next `reveal` tries again.
 */
export function fileSecret(path: string, kind: SecretKind): Secret {
  let known: { readonly text: string; readonly version: string } | undefined;
  const reveal = () => {
    if (known !== undefined && known.version === versionOf(path)) return known.text;
    known = undefined;
    const read = readSecretFile(path, kind);
    if ('complaint' in read) throw new ConfigError([{ source: path, message: read.complaint }]);
    if (Date.now() - read.changed > coarsestClock) known = read;
    return read.text;
  };
  return hidden({ file: path, reveal });
}

/** A secret's file as it is now, checked; one newline at its end is not part of the secret. */
export function readSecretFile(path: string, kind: SecretKind): TextFile | Unread {
  const file = readTextFile(path, { largest: largestSecret, regularOnly: true });
  if ('complaint' in file) return file;
  const text = file.text.replace(/\r?\n$/, '');
  const complaint = secretComplaint(text, kind);
  return complaint === undefined ? { ...file, text } : { complaint };
}

/** What is wrong with a secret; undefined where nothing is. Nothing of it is repeated. */
export function secretComplaint(text: string, kind: SecretKind): string | undefined {
  if (text === '') return `is empty; write the ${kind}`;
  if (/[\r\n]/.test(text)) return `has more than one line; write the ${kind}, and nothing else`;
  if (kind === 'token' && !/^[\x21-\x7e]+$/.test(text)) {
    return 'holds a space or another character that no token has; write the token, and nothing else';
  }
  return undefined;
}

/** Only `reveal` gives the secret away: printing, joining, inspecting and serializing show `[secret]`. */
function hidden(secret: Secret): Secret {
  const shown = () => '[secret]';
  return Object.freeze({ ...secret, toString: shown, toJSON: shown, [inspect.custom]: shown });
}
