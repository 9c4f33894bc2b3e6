import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultKind, faultKinds } from '../sandbox/src/faults/fault.ts';
import { type Sandbox, startSandbox } from '../sandbox/src/server.ts';
import type { Credentials } from '../src/config/values/config.ts';
import { inlineSecret } from '../src/config/values/secret.ts';
import { startApp } from './fixtures/app.ts';
import { accountConfig, config } from './fixtures/config.ts';
import { leakedPieces } from './fixtures/leaks.ts';

const kinds = Object.keys(faultKinds) as readonly FaultKind[];

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ requestsPerMinute: 0 });
});

afterAll(() => sandbox.close());

function credentialsOf(login: string, mode: 'password' | 'token'): Credentials {
  const { password, token } = sandbox.account(login);
  return mode === 'token'
    ? { kind: 'token', token: inlineSecret(token) }
    : { kind: 'password', login, password: inlineSecret(password) };
}

type Use = readonly [login: 'agency' | 'unlimited', mode: 'password' | 'token'];

/** Every secret, with the fault whose answer repeats it. With the other faults, each login and each kind of secret. */
function usesWith(kind: FaultKind): readonly (readonly Use[])[] {
  const uses: readonly (readonly Use[])[] = [
    [
      ['agency', 'password'],
      ['unlimited', 'token'],
    ],
    [
      ['agency', 'token'],
      ['unlimited', 'password'],
    ],
  ];
  return kind === 'echo' ? uses : uses.slice(kinds.indexOf(kind) % 2).slice(0, 1);
}

it.each(kinds.flatMap((kind) => usesWith(kind).map((uses) => [kind, uses] as const)))(
  'no secret appears in logs and pages after the fault %s with %j',
  async (kind, uses) => {
    const outputs: string[] = [];
    for (const [login, mode] of uses) {
      sandbox.clearFaults();
      sandbox.setFault({ kind, login, ...(kind === 'latency' ? { latency: 60_000 } : {}) });
      const account = accountConfig({
        name: login,
        credentials: credentialsOf(login, mode),
        api: { baseUrl: sandbox.baseUrl, timeout: 400 },
        collectors: ['databases'],
      });
      const { app, origin, logLines } = await startApp(config(account), login === 'agency' ? 'json' : 'logfmt');

      await app.accounts[0]?.pollOnce();

      const pages = ['/', `/accounts/${login}`, '/status', '/accounts.json', '/state'];
      for (const path of [...pages, '/metrics', '/-/ready', '/-/healthy', '/sd', '/metrics?account=x', '/nothing']) {
        const response = await fetch(`${origin}${path}`);
        outputs.push(await response.text(), JSON.stringify([...response.headers]));
      }
      outputs.push(...logLines);
    }

    const all = outputs.join('\n');
    for (const login of ['agency', 'unlimited']) {
      const { password, token } = sandbox.account(login);
      // The name of the account is part of its secrets.
      const others = all.replaceAll(login, '');
      for (const secret of [password, token]) expect(leakedPieces(others, secret)).toEqual([]);
    }
    expect(all).toContain('API call');
    expect(all.includes('[secret]')).toBe(kind === 'echo');
  },
);
