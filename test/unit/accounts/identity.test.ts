import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentSecretOf, fingerprintsOf, identityOf, sessionKeyOf } from '../../../src/accounts/identity.ts';
import { Connections } from '../../../src/api/connections.ts';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import { fileSecret, inlineSecret } from '../../../src/config/values/secret.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const shop = accountConfig();
const connections = new Connections(undefined);

function withPassword(password: string, login = 'shop'): AccountConfig {
  return accountConfig({ credentials: { kind: 'password', login, password: inlineSecret(password) } });
}

function withToken(token: string, path?: string): AccountConfig {
  const secret = path === undefined ? inlineSecret(token) : fileSecret(path, 'token', token);
  return accountConfig({ credentials: { kind: 'token', token: secret } });
}

describe('the identity of an account', () => {
  it.each<[string, AccountConfig]>([
    ['the name', accountConfig({ name: 'other' })],
    ['the server', accountConfig({ api: { baseUrl: 'http://127.0.0.1:10/api' } })],
    ['the login', withPassword('secret', 'other')],
    ['the notation of requests', accountConfig({ api: { inputFormat: 'json' } })],
    ['the notation of sizes', accountConfig({ api: { sizeUnits: 'binary' } })],
    ['the notation of numbers', accountConfig({ api: { numberFormat: 'comma' } })],
    ['the time zone', accountConfig({ api: { timeZone: 'Europe/Berlin' } })],
  ])('depends on %s', (_what, changed) => {
    expect(identityOf(changed)).not.toBe(identityOf(shop));
  });

  it('does not depend on the password, limits and thresholds', () => {
    const others = [
      withPassword('another password'),
      accountConfig({ api: { requestsPerMinute: 3, timeout: 5, maxItems: 7 } }),
      accountConfig({ labels: { team: 'a' }, collectors: [] }),
    ];

    expect(others.map(identityOf)).toEqual(others.map(() => identityOf(shop)));
  });

  it('depends on the file of a token, but on no token, which could be guessed from a hash', () => {
    expect(identityOf(withToken('one'))).toBe(identityOf(withToken('two')));
    expect(identityOf(withToken('one', '/run/token'))).toBe(identityOf(withToken('two', '/run/token')));
    expect(identityOf(withToken('one', '/run/token'))).not.toBe(identityOf(withToken('one', '/run/other')));
  });
});

describe('the key of a session', () => {
  it('is the same for accounts with the same server and login', () => {
    expect(sessionKeyOf(accountConfig({ name: 'copy' }))).toBe(sessionKeyOf(shop));
    expect(sessionKeyOf(withPassword('secret', 'other'))).not.toBe(sessionKeyOf(shop));
    expect(sessionKeyOf(accountConfig({ api: { baseUrl: 'http://127.0.0.1:10/api' } }))).not.toBe(sessionKeyOf(shop));
  });

  it('is that of the account if a token says nothing about the login', () => {
    const [one, other] = [withToken('token'), { ...withToken('token'), name: 'other' }];

    expect(sessionKeyOf(one)).not.toBe(sessionKeyOf(other));
    // An account with a token is not an account whose login is its name.
    expect(sessionKeyOf(one)).not.toBe(sessionKeyOf(shop));
  });
});

describe('the fingerprints of an account', () => {
  const changedParts = (changed: AccountConfig, before = shop) => {
    const [old, current] = [fingerprintsOf(before, connections), fingerprintsOf(changed, connections)];
    return (['config', 'source', 'secret', 'annotations'] as const).filter((part) => old[part] !== current[part]);
  };

  it('tell which part has changed', () => {
    expect(changedParts(accountConfig())).toEqual([]);
    expect(changedParts(accountConfig({ labels: { team: 'a' } }))).toEqual(['annotations']);
    expect(changedParts(accountConfig({ api: { timeout: 5 } }))).toEqual(['config']);
    expect(changedParts(accountConfig({ api: { timeZone: 'Europe/Berlin' } }))).toEqual(['config', 'source']);
    expect(changedParts(withPassword('another password'))).toEqual(['config', 'secret']);
  });

  it('differ in their source if a token without a file changes, because it may belong to another login', () => {
    expect(changedParts(withToken('two'), withToken('one'))).toEqual(['config', 'source', 'secret']);
  });

  it('have the same configuration if only the content of the secret file changes', () => {
    const file = '/run/token';

    expect(changedParts(withToken('two', file), withToken('one', file))).toEqual(['secret']);
    expect(changedParts(withToken('one', '/run/other'), withToken('one', file))).toEqual(['config', 'source']);
  });

  it('change with the certificate authorities', () => {
    const [before, after] = [0, 1].map((version) => fingerprintsOf(shop, { version } as Connections));

    expect(after?.secret).not.toBe(before?.secret);
    expect(after).toEqual({ ...before, secret: after?.secret });
  });

  it('do not contain the secret', () => {
    expect(JSON.stringify(fingerprintsOf(withPassword('correct horse'), connections))).not.toContain('horse');
  });
});

it('the current secret is that of the file, and unknown while the file is missing', () => {
  const file = join(temporaryFolder(), 'token');
  const account = withToken('one', file);
  writeFileSync(file, 'two\n');

  const current = currentSecretOf(account);
  rmSync(file);

  expect([current, currentSecretOf(account)]).toEqual(['two', undefined]);
  expect(currentSecretOf(withPassword('inline'))).toBe('inline');
});
