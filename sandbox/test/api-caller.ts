import { request } from 'undici';
import type { Sandbox } from '../src/server.ts';

/** Monday, 2026-03-16 14:20:00 UTC. */
export const fixedNow = Date.UTC(2026, 2, 16, 14, 20);

export const fixedClock = { now: () => fixedNow };

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read without a schema, as by any other client
  readonly json: any;
}

/** Calls a method by POST with login and password. */
export async function call(
  sandbox: Sandbox,
  login: string,
  method: string,
  parameters: Record<string, string> = {},
): Promise<Reply> {
  const { password } = sandbox.account(login);
  return post(sandbox, method, { login, passwd: password, output_format: 'json', ...parameters });
}

/** The payload of a successful call, from either envelope. Throws otherwise. */
export async function payload(
  sandbox: Sandbox,
  login: string,
  method: string,
  parameters: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: as above
): Promise<any> {
  const { json, text } = await call(sandbox, login, method, parameters);
  const inner = json?.answer ?? json;
  if (json?.status !== 'success' || inner.status !== 'success') {
    throw new Error(`${method} did not succeed: ${text}`);
  }
  return inner.result;
}

export async function post(sandbox: Sandbox, method: string, fields: Record<string, string>): Promise<Reply> {
  return send(`${sandbox.baseUrl}/${method}`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

export async function get(sandbox: Sandbox, method: string, fields: Record<string, string>): Promise<Reply> {
  return send(`${sandbox.baseUrl}/${method}?${new URLSearchParams(fields)}`, {});
}

export async function send(url: string, options: Parameters<typeof request>[1]): Promise<Reply> {
  const response = await request(url, options);
  const text = await response.body.text();
  return {
    status: response.statusCode,
    contentType: String(response.headers['content-type']),
    text,
    json: parse(text),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
