import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** A call before validation. */
export interface ApiRequest {
  /** The path of the method: section/method. */
  readonly method: string;
  readonly httpMethod: string;
  readonly login: string | undefined;
  readonly password: string | undefined;
  /** The token in `Authorization: Bearer`. */
  readonly token: string | undefined;
  readonly inputFormat: string | undefined;
  readonly inputData: string | undefined;
  readonly outputFormat: string | undefined;
  /** Media type of a body that is not a form, such as `application/json`. */
  readonly foreignBody: string | undefined;
  /** Parameters of query and form body. The body takes precedence. */
  readonly parameters: JsonObject;
  /** Query and body as received. */
  readonly raw: string;
}

/** Parses a call. `body` is undefined for GET. Without a `contentType`, the body is a form. */
export function readRequest(call: {
  httpMethod: string;
  path: string;
  query: string;
  body?: string | undefined;
  contentType?: string | undefined;
  authorization?: string | undefined;
}): ApiRequest {
  const mediaType = (call.contentType ?? form).split(';', 1)[0]?.trim().toLowerCase();
  const isForeign = call.body !== undefined && call.body !== '' && mediaType !== form;
  const body = isForeign ? '' : (call.body ?? '');
  const parameters = parseParameters([...new URLSearchParams(call.query), ...new URLSearchParams(body)]);
  const text = (name: string) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    method: call.path.slice(0, 200),
    httpMethod: call.httpMethod,
    login: text('login'),
    password: text('passwd'),
    token: /^Bearer +(.+)$/i.exec(call.authorization ?? '')?.[1],
    inputFormat: text('input_format'),
    inputData: text('input_data'),
    outputFormat: text('output_format'),
    foreignBody: isForeign ? mediaType : undefined,
    parameters,
    raw: [call.query, call.body ?? ''].filter((part) => part !== '').join(' '),
  };
}

const form = 'application/x-www-form-urlencoded';

type Tree = { [key: string]: Json };

/** `records[0][type]=A` becomes { records: { 0: { type: 'A' } } }; `paths[]=a` gets the next index. */
function parseParameters(pairs: readonly (readonly [string, string])[]): JsonObject {
  const root = emptyTree();
  for (const [name, value] of pairs) {
    const [key = '', ...inner] = name.replaceAll(']', '').split('[');
    let tree = root;
    let last = key;
    for (const part of inner) {
      const existing = tree[last];
      const next = isTree(existing) ? existing : emptyTree();
      tree[last] = next;
      tree = next;
      last = part === '' ? String(Object.keys(next).length) : part;
    }
    tree[last] = value;
  }
  return root;
}

/** An empty object without a prototype, so that a parameter named `__proto__` or `constructor` is harmless. */
function emptyTree(): Tree {
  return Object.create(null);
}

function isTree(value: Json | undefined): value is Tree {
  return isJsonObject(value);
}
