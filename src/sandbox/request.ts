import type { Dialect } from '../api/dialect.ts';
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

/**
 * Parses a call. `body` is undefined for GET. Without a `contentType`, the body is a form. The provider's dialect also accepts
 * multipart/form-data, but ignores files.
 */
export async function readRequest(call: {
  dialect: Dialect;
  httpMethod: string;
  path: string;
  query: string;
  body?: string | undefined;
  contentType?: string | undefined;
  authorization?: string | undefined;
}): Promise<ApiRequest> {
  const mediaType = (call.contentType ?? form).split(';', 1)[0]?.trim().toLowerCase();
  const fields = await readBody(call, mediaType);
  const parameters = parseParameters([...new URLSearchParams(call.query), ...(fields ?? [])]);
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
    foreignBody: fields === undefined ? mediaType : undefined,
    parameters,
    raw: [call.query, call.body ?? ''].filter((part) => part !== '').join(' '),
  };
}

const form = 'application/x-www-form-urlencoded';

type Fields = readonly (readonly [string, string])[];

/** The fields of a body; undefined if the body is not a form. */
async function readBody(
  {
    dialect,
    body = '',
    contentType = '',
  }: { dialect: Dialect; body?: string | undefined; contentType?: string | undefined },
  mediaType: string | undefined,
): Promise<Fields | undefined> {
  if (body === '' || mediaType === form) {
    return [...new URLSearchParams(body)];
  }
  if (dialect !== 'provider' || mediaType !== 'multipart/form-data') {
    return undefined;
  }
  try {
    const data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    return [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  } catch {
    return undefined;
  }
}

type Tree = { [key: string]: Json };

/** `records[0][type]=A` becomes { records: { 0: { type: 'A' } } }; `paths[]=a` gets the next index. */
function parseParameters(pairs: Fields): JsonObject {
  const root = emptyTree();
  // The number of keys that `[]` has added to each tree. Counting the keys at each addition would take quadratic time.
  const appended = new Map<Tree, number>();
  for (const [name, value] of pairs) {
    const [key = '', ...inner] = name.replaceAll(']', '').split('[');
    let tree = root;
    let last = key;
    for (const part of inner) {
      const existing = tree[last];
      const next = isTree(existing) ? existing : emptyTree();
      tree[last] = next;
      tree = next;
      last = part === '' ? nextIndex(next, appended) : part;
    }
    tree[last] = value;
  }
  return root;
}

/** The next free index of a list. */
function nextIndex(tree: Tree, appended: Map<Tree, number>): string {
  let index = appended.get(tree) ?? 0;
  while (String(index) in tree) index += 1;
  appended.set(tree, index);
  return String(index);
}

/** An empty object without a prototype, because a parameter may be named `__proto__` or `constructor`. */
function emptyTree(): Tree {
  return Object.create(null);
}

function isTree(value: Json | undefined): value is Tree {
  return isJsonObject(value);
}
