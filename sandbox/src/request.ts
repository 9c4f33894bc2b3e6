import type { Dialect } from './dialect.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';

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
  /** Whether the body is refused because it is not a form. The live provider ignores such a body. */
  readonly foreignBody: boolean;
  /** Parameters of query and form body. The body takes precedence. */
  readonly parameters: JsonObject;
  /** Query and body as received. */
  readonly raw: string;
}

/** A request as fastify reads it. A body is a text. */
interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly params: { readonly '*'?: string };
  readonly body: unknown;
  readonly headers: { readonly 'content-type'?: string | undefined; readonly authorization?: string | undefined };
}

/** Parses a call. Without Content-Type, the body is a form. The provider's dialect also accepts multipart/form-data, but ignores files. */
export async function readRequest(dialect: Dialect, request: HttpRequest): Promise<ApiRequest> {
  const { method, url, params, headers } = request;
  const body = typeof request.body === 'string' ? request.body : '';
  const { 'content-type': contentType = form, authorization = '' } = headers;
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const fields = await readBody(dialect, body, contentType, mediaType);
  const parameters = parseParameters([...new URLSearchParams(query), ...(fields ?? [])]);
  const text = (name: string) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    method: (params['*'] ?? '').slice(0, 200),
    httpMethod: method,
    login: text('login'),
    password: text('passwd'),
    token: /^Bearer +(.+)$/i.exec(authorization)?.[1],
    inputFormat: text('input_format'),
    inputData: text('input_data'),
    outputFormat: text('output_format'),
    foreignBody: fields === undefined && dialect === 'specification',
    parameters,
    raw: [query, body].filter((part) => part !== '').join(' '),
  };
}

const form = 'application/x-www-form-urlencoded';

type Fields = readonly (readonly [string, string])[];

/** The fields of a body; undefined if the body is not a form. */
async function readBody(
  dialect: Dialect,
  body: string,
  contentType: string,
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
  // The last index that `[]` has added to each tree. A search from 0 for each addition would take quadratic time.
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

/** An input error that the sandbox, like the live provider, answers with HTTP 500 and without an envelope. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly contentType: string;

  constructor(contentType: string, body: string) {
    super(body);
    this.contentType = contentType;
  }
}

/**
 * Reads the arguments of a call from plain parameters. With input_format=json, reads them from the JSON in `input_data`. The examples of
 * the specification use plain parameters even with input_format=json, so the specification's dialect reads both.
 */
export function readArguments(dialect: Dialect, request: ApiRequest): JsonObject {
  const { inputFormat = 'plain', inputData, parameters } = request;
  if (inputFormat !== 'plain' && inputFormat !== 'json') {
    throw dialect === 'provider'
      ? new InvalidInput('text/html; charset=utf-8', '<html><body><h1>500 Internal Server Error</h1></body></html>')
      : new Refusal('malformed', 'input_format must be plain or json');
  }
  if (request.outputFormat !== undefined && request.outputFormat !== 'json') {
    throw new Refusal('malformed', 'output_format must be json');
  }
  if (inputFormat === 'plain') return parameters;
  const data = inputData === undefined ? {} : parseInputData(dialect, inputData);
  return dialect === 'provider' ? data : { ...parameters, ...data };
}

function parseInputData(dialect: Dialect, text: string): JsonObject {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = undefined;
  }
  if (isJsonObject(data)) return data;
  // PHP encodes an empty object as an empty list.
  if (Array.isArray(data)) return {};
  throw dialect === 'provider'
    ? new InvalidInput('text/plain; charset=utf-8', 'Cannot parse the JSON input params')
    : new Refusal('malformed', 'input_data is not a JSON object');
}
