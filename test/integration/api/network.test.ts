import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientUnderTest, failureOf } from '../../fixtures/api-client.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { makePrivateAuthority, type PrivateAuthority } from '../../fixtures/private-authority.ts';
import { httpServer, listen } from '../../fixtures/servers.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

const cleanups = new Cleanups();
let authority: PrivateAuthority;

beforeAll(() => {
  authority = makePrivateAuthority(temporaryFolder(cleanups));
});

afterAll(cleanups.end);

beforeEach(() => {
  for (const name of proxyVariables) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const success = '{"status":"success","result":[{"name":"a"}]}';

describe('a private authority', () => {
  it('is trusted if ca_file names its certificate', async () => {
    const baseUrl = await httpsApi();
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    await expect(client.databases()).resolves.toEqual([{ name: 'a' }]);
  });

  it('is not trusted by default: calls fail with the reason network', async () => {
    const baseUrl = await httpsApi();
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toMatch(/^mysql\/getList: .*certificate/);
  });

  it('is not trusted for another host name: calls fail with the reason network', async () => {
    const baseUrl = (await httpsApi()).replace('localhost', '127.0.0.1');
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toMatch(/altnames|Host/i);
  });
});

describe('a proxy', () => {
  it('in HTTP_PROXY receives calls to http URLs', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpServer((_request, response) => response.end(success));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
  });

  it('in HTTPS_PROXY tunnels calls to https URLs without reading them', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpsApi();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
    expect(proxy.bytes()).not.toContain('passwd');
  });

  it('is bypassed for hosts in NO_PROXY', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpServer((_request, response) => response.end(success));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([]);
  });

  it('that rejects the tunnel makes calls fail with the reason network', async () => {
    const proxy = await startProxy(407);
    const baseUrl = await httpsApi();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toContain('407');
  });

  it.each(['http', 'https'])('does not lift the size limit of a response over %s', async (scheme) => {
    const proxy = await startProxy();
    const tooLarge = ' '.repeat(17 * 1024 * 1024);
    const baseUrl =
      scheme === 'https' ? await httpsApi(tooLarge) : await httpServer((_request, response) => response.end(tooLarge));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect([failure.reason, failure.message]).toEqual(['payload', 'mysql/getList: the response is larger than 16 MiB']);
  });
});

/** An API with a certificate for localhost that the private authority signed. */
async function httpsApi(answer = success): Promise<string> {
  return `https://localhost:${await listen(authority.createServer(answer))}/api`;
}

/** A proxy that forwards http, tunnels https by CONNECT and records the traffic. Rejects every tunnel with the status `refusal` if it is given. */
async function startProxy(refusal?: number) {
  const targets: string[] = [];
  const recorded: Buffer[] = [];
  const server = createHttpServer((request, response) => {
    const url = new URL(request.url ?? '');
    targets.push(url.host);
    const upstream = httpRequest(url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(upstream);
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
  });
  server.on('connect', (request, socket, head) => {
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    targets.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      socket.on('data', (bytes: Buffer) => recorded.push(bytes));
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    targets,
    bytes: () => Buffer.concat(recorded).toString('latin1'),
  };
}
