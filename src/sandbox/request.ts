import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** One call as it came: nothing of it is trusted yet. */
export interface ApiRequest {
  /** section/method, as in the path. */
  readonly method: string;
  readonly httpMethod: string;
  readonly login: string | undefined;
  readonly password: string | undefined;
  /** Of `Authorization: Bearer`. */
  readonly token: string | undefined;
  readonly inputFormat: string | undefined;
  readonly inputData: string | undefined;
  readonly outputFormat: string | undefined;
  /** All parameters of query and form body; those of the body win. */
  readonly parameters: JsonObject;
  /** Query and body as they came. */
  readonly raw: string;
}

/** `body` is a form; undefined for a GET. */
export function readRequest(call: {
  httpMethod: string;
  path: string;
  query: string;
  body: string | undefined;
  authorization: string | undefined;
}): ApiRequest {
  const parameters = parseParameters([...new URLSearchParams(call.query), ...new URLSearchParams(call.body ?? '')]);
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
    parameters,
    raw: [call.query, call.body ?? ''].filter((part) => part !== '').join(' '),
  };
}

type Tree = { [key: string]: Json };

/** `records[0][type]=A` becomes { records: { 0: { type: 'A' } } }, `paths[]=a` is numbered from 0. */
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

/** Without a prototype, so that no parameter is called `constructor` by chance. */
function emptyTree(): Tree {
  return Object.create(null);
}

function isTree(value: Json | undefined): value is Tree {
  return isJsonObject(value);
}
