import { isUtf8 } from 'node:buffer';

/** User name and password of a request. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
  /** False if the bytes are not UTF-8, so that the texts are only similar to what the client sent. */
  readonly exact: boolean;
}

/** Parses an Authorization header of the scheme Basic; undefined for anything else. */
export function parseCredentials(header: string | undefined): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1), exact: isUtf8(bytes) };
}
