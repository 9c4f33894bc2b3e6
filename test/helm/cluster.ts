import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { repository } from '../fixtures/repository.ts';
import { freePort } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const program = join(repository, 'node_modules/.cache/kube-apiserver');
const token = 'test';

/** Builds the API server of Kubernetes with Go. Only the first build takes minutes, because Go caches it. */
export function buildApiServer(): void {
  const folder = join(repository, 'test/helm/apiserver');
  // The build of Kubernetes sets this version. Without it, no chart supports the cluster.
  const version = '-X=k8s.io/component-base/version.gitVersion=v1.37.0';
  const flags = ['-buildvcs=false', `-ldflags=${version}`, '-o', program];
  execFileSync('go', ['build', ...flags, '.'], { cwd: folder, stdio: 'inherit' });
}

export interface Cluster {
  /** Runs Helm against the cluster. Returns its error output, or an empty text if it succeeded. */
  helm(...parameters: readonly string[]): string;
  /** Sends a request to the API. Throws if the API refuses it. */
  request(method: string, path: string, body?: object): Promise<unknown>;
}

/** Starts Kubernetes' API server and its database. There are no controllers, so no pod runs. */
export async function startCluster(cleanups: Cleanups): Promise<Cluster> {
  const folder = temporaryFolder(cleanups);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'key.pem');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`);
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const server = spawn(
    program,
    [
      join(folder, 'etcd'),
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(folder, 'certificates')}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=AlwaysAllow',
      '--service-account-issuer=https://localhost',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--service-cluster-ip-range=10.0.0.0/16',
      '--disable-admission-plugins=ServiceAccount',
    ],
    { stdio: 'ignore' },
  );
  cleanups.add(() => {
    server.kill('SIGKILL');
  });
  const home = join(folder, 'helm');
  mkdirSync(home);

  const cluster: Cluster = {
    helm: (...parameters) => {
      const access = [`--kube-apiserver=${url}`, `--kube-token=${token}`, '--kube-insecure-skip-tls-verify'];
      const environment = { PATH: process.env['PATH'], HOME: home };
      const { status, stderr } = spawnSync('helm', [...parameters, ...access], { encoding: 'utf8', env: environment });
      return status === 0 ? '' : stderr;
    },
    request: async (method, path, body) => {
      const flags = ['--silent', '--show-error', '--insecure', '--fail-with-body', '--request', method];
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = ['--header', `Authorization: Bearer ${token}`, '--header', `Content-Type: ${type}`];
      const data = body === undefined ? [] : ['--data', JSON.stringify(body)];
      const { status, stdout, stderr } = spawnSync('curl', [...flags, ...headers, ...data, url + path], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${method} ${path}: ${stderr}${stdout}`);
      return JSON.parse(stdout);
    },
  };
  await until('the API server', () =>
    cluster.request('GET', '/api/v1/namespaces/default').then(
      () => true,
      () => false,
    ),
  );
  return cluster;
}
