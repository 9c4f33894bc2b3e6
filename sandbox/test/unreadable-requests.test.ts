import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { get, send } from './api-caller.ts';

const secret = 'sh&p+5 #?/=%41';
const credentials = new URLSearchParams({ login: 'shop', passwd: secret }).toString();
const close = 'Connection: close\r\n\r\n';
const getRequest = (headers: string) => `GET /api/mysql/getList?${credentials} HTTP/1.1\r\n${headers}`;

describe.each(['specification', 'provider'] as const)('a malformed or unusual request in the %s dialect', (dialect) => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect });
  });

  afterEach(() => sandbox.close());

  const form = 'application/x-www-form-urlencoded';

  const noForm = 'The body must be a form, with Content-Type application/x-www-form-urlencoded';
  const tooLong = 'The URL and headers have more than 16384 bytes';
  const list = '/mysql/getList';
  const posted = (body: string, type: string) => ({ method: 'POST', body, headers: { 'content-type': type } }) as const;
  const long = 'x'.repeat(16_384);

  it.each<[what: string, status: number, text: string, path: string, options: Parameters<typeof send>[1]]>([
    ['an invalid path', 400, 'The path is not valid percent-encoding', `/user/%zz?${credentials}`, {}],
    ['a path without section and method', 200, 'No such method', `?${credentials}`, {}],
    ['PROPFIND', 200, 'Only GET and POST are accepted', `${list}?${credentials}`, { method: 'PROPFIND' }],
    ['a malformed Content-Type', 415, 'The Content-Type is not valid', list, posted(credentials, '?')],
    ['a large body', 413, 'The body has more than 1048576 bytes', list, posted('x'.repeat(1_048_577), form)],
    ['headers of more than 16 KiB', 431, tooLong, `${list}?${credentials}`, { headers: { 'x-large': long } }],
    ['a URL of more than 16 KiB', 431, tooLong, `${list}?${credentials}&x=${long}`, {}],
  ])('%s is refused with an envelope that does not echo the request', async (_, status, text, path, options) => {
    const reply = await send(`${sandbox.baseUrl}${path}`, options);

    const codes = path.startsWith('?') && dialect === 'provider' ? 'NO_SUCH_METHOD' : 'INCORRECT_REQUEST';
    expect(reply.status).toBe(status);
    expect(reply.contentType).toMatch(dialect === 'provider' ? /^text\/html/ : /^application\/json/);
    expect(reply.json).toEqual({ status: 'error', error_code: codes, error_text: text });
    expect(reply.text).not.toMatch(/passwd|sh%26p|sh&p|xxx/);
    expect(sandbox.calls.at(-1)?.outcome).toBe(codes);
    expect(JSON.stringify(sandbox.calls)).not.toContain('passwd');
  });

  it.each([
    ['a JSON body', '{"login":"other"}', 'application/json'],
    ['a body of an unknown type', 'login=other', 'a/b'],
    ['a broken multipart body', 'login=other', 'multipart/form-data; boundary=x'],
  ])('%s is refused by the specification and ignored by the provider', async (_, body, type) => {
    const { json } = await send(`${sandbox.baseUrl}${list}?${credentials}`, posted(body, type));

    const refused = { status: 'error', error_code: 'INCORRECT_REQUEST', error_text: noForm };
    expect(json).toMatchObject(dialect === 'provider' ? { answer: { status: 'success' } } : refused);
  });

  it.each([
    ['text that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['a request without Host', getRequest(close), 200],
    ['a request with an unknown expectation', getRequest(`Host: a\r\nExpect: x\r\n${close}`), 200],
    ['a request to upgrade', getRequest(`Host: a\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`), 200],
    ['a request for a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', 400],
    ['a request of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a length that is no number', getRequest('Host: a\r\nContent-Length: x\r\n\r\n'), 400],
    ['two lengths', getRequest('Host: a\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n'), 400],
    ['a header without a colon', getRequest('Host: a\r\nx\r\n\r\n'), 400],
  ])('%s gets an envelope', async (_, text, status) => {
    const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1', () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');

    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(body).toMatch(status === 200 ? /^\{"status":"success"/ : /^\{"status":"error"/);
  });

  it('a path outside the API and the control API is not echoed', async () => {
    const reply = await send(`${sandbox.baseUrl.replace('/api', '/other')}?${credentials}`, {});

    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({ error: 'Not found. The API is under /api, the control API under /sandbox.' });
  });

  it('the credentials are checked before the section and method', async () => {
    const replies = [
      await get(sandbox, 'mysql/nothing', { login: 'shop', passwd: secret }),
      await get(sandbox, 'mysql/nothing', { login: 'shop', passwd: 'wrong' }),
    ];

    const unknown = dialect === 'provider' ? 'NO_SUCH_METHOD' : 'INCORRECT_REQUEST';
    expect(replies.map(({ json }) => json.error_code)).toEqual([unknown, 'AUTH_ERROR']);
  });
});
