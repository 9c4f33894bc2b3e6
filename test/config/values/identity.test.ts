import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import { fingerprintOf, identityOf, sessionKeyOf } from '../../../src/config/values/identity.ts';
import { fileSecret, inlineSecret } from '../../../src/config/values/secret.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const shop = accountConfig();

function withPassword(password: string, login = 'shop'): AccountConfig {
  return accountConfig({ credentials: { kind: 'password', login, password: inlineSecret(password) } });
}

function withToken(token: string): AccountConfig {
  return accountConfig({ credentials: { kind: 'token', token: inlineSecret(token) } });
}

/** An account whose token is read from this file, which now contains `token`. */
function withTokenFile(token: string, path = join(temporaryFolder(), 'token')): AccountConfig {
  writeFileSync(path, token);
  return accountConfig({ credentials: { kind: 'token', token: fileSecret(path, 'token') } });
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

  it('depends on the token, wherever it is stored, because nothing else identifies its login', () => {
    expect(identityOf(withToken('one'))).not.toBe(identityOf(withToken('two')));
    expect(identityOf(withTokenFile('one'))).not.toBe(identityOf(withTokenFile('two')));
    expect(identityOf(withTokenFile('one'))).toBe(identityOf(withTokenFile('one')));
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

describe('the fingerprint of an account', () => {
  const shopPrint = fingerprintOf(shop, undefined);

  it.each<[string, AccountConfig]>([
    ['a label', accountConfig({ labels: { team: 'a' } })],
    ['a threshold', accountConfig({ alerts: [{ alert: 'HostingDiskAlmostFull', severity: 'warning', value: 0.7 }] })],
    ['a time limit', accountConfig({ api: { timeout: 5 } })],
    ['the password', withPassword('another password')],
  ])('changes with %s', (_what, changed) => {
    expect(fingerprintOf(changed, undefined)).not.toBe(shopPrint);
  });

  it('changes with the content of a secret file and with the certificate authorities, and not otherwise', () => {
    const file = join(temporaryFolder(), 'token');
    const print = (token: string) => fingerprintOf(withTokenFile(token, file), undefined);

    expect(print('two')).not.toBe(print('one'));
    expect(fingerprintOf(shop, 'another')).not.toBe(shopPrint);
    expect([print('one'), fingerprintOf(accountConfig(), undefined)]).toEqual([print('one'), shopPrint]);
  });
});

it('the current secret is that of the file, and unknown while the file is missing', () => {
  const file = join(temporaryFolder(), 'token');
  const { account } = polledAccount(withTokenFile('one', file));
  writeFileSync(file, 'two\n');

  const current = account.secret();
  rmSync(file);

  expect([current, account.secret()]).toEqual(['two', undefined]);
  expect(polledAccount(withPassword('inline')).account.secret()).toBe('inline');
});
