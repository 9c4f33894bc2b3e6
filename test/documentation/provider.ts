import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { shop } from '../../sandbox/src/accounts/shop.ts';
import { startSandbox } from '../../sandbox/src/server.ts';

/** The provider of the documentation's examples: https://api.example.com with one account, behind a proxy. */
export interface ExampleProvider {
  /** Variables that make a program reach the provider and trust its certificate. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const host = 'api.example.com';

/** Starts the provider. The account has the login and the password of the documentation. Writes certificates to a folder. */
export async function startProvider(folder: string): Promise<ExampleProvider> {
  const account = { ...shop, login: 'u12345', password: 'secret' };
  const sandbox = await startSandbox({ dialect: 'provider', accounts: [account], timeZone: 'Europe/Moscow' });
  const api = createHttpsServer(createCertificate(folder), (incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const forwarded = request(new URL(url, sandbox.baseUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  const apiPort = await listen(api);
  // A tunnel for HTTPS. Requests to the provider go to the sandbox, and other requests to the real host.
  const proxy = createHttpServer().on('connect', ({ url = '' }, socket, head: Buffer) => {
    const target = new URL(`http://${url}`);
    const tunnel =
      target.hostname === host
        ? connect(apiPort, '127.0.0.1')
        : connect(Number(target.port === '' ? 80 : target.port), target.hostname);
    tunnel.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.write(head);
      socket.pipe(tunnel).pipe(socket);
    });
    for (const end of [socket, tunnel]) {
      end.on('error', () => {
        socket.destroy();
        tunnel.destroy();
      });
    }
  });
  const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
  const certificates = join(folder, 'trusted.pem');
  return {
    environment: {
      HTTPS_PROXY: proxyUrl,
      https_proxy: proxyUrl,
      NO_PROXY: 'localhost,127.0.0.1',
      NODE_EXTRA_CA_CERTS: certificates,
      CURL_CA_BUNDLE: certificates,
    },
    close: async () => {
      proxy.closeAllConnections();
      api.closeAllConnections();
      proxy.close();
      api.close();
      await sandbox.close();
    },
  };
}

/**
 * Creates a certificate and its authority. Writes this authority and the additional authorities of Node.js to
 * trusted.pem.
 */
function createCertificate(folder: string): { readonly key: Buffer; readonly cert: Buffer } {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'provider.key'];
  const name = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'provider.pem', '-days', '2', ...name], {
    cwd: folder,
    stdio: 'ignore',
  });
  const certificate = readFileSync(join(folder, 'provider.pem'));
  const { NODE_EXTRA_CA_CERTS: extra } = process.env;
  const others = extra === undefined ? '' : readFileSync(extra, 'utf8');
  writeFileSync(join(folder, 'trusted.pem'), `${certificate.toString('utf8')}\n${others}`);
  return { key: readFileSync(join(folder, 'provider.key')), cert: certificate };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
