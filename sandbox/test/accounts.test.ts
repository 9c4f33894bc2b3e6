import { describe, expect, it } from 'vitest';
import type { AccountSeed } from '../src/accounts/account-seed.ts';
import { demoAccounts } from '../src/accounts/demo-accounts.ts';
import { fleetAccounts } from '../src/accounts/fleet.ts';
import { createAccountState } from '../src/state/create-account-state.ts';

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

function checkNames(accounts: readonly AccountSeed[]): void {
  expect(repeated(accounts.map((account) => account.login))).toEqual([]);
  expect(repeated(accounts.map((account) => account.token))).toEqual([]);
  for (const account of accounts) {
    const { sites = [], databases = [], domains = [] } = account;
    expect(createAccountState(account, 0, 'UTC').sites).toHaveLength(sites.length);
    expect(repeated(sites.map((site) => site.name))).toEqual([]);
    expect(repeated(databases.map((database) => database.name))).toEqual([]);
    expect(repeated(domains.map((domain) => domain.fqdn))).toEqual([]);
  }
}

describe('demo accounts', () => {
  it('have unique and consistent names', () => checkNames(demoAccounts));

  it('have passwords that clients must encode', () => {
    for (const { password } of demoAccounts) {
      expect(encodeURIComponent(password)).not.toBe(password);
      expect(password).toMatch(/[&%]/);
    }
  });
});

describe('fleetAccounts', () => {
  it('creates the same accounts for the same seed, regardless of the count', () => {
    expect(fleetAccounts(20, 7)).toEqual(fleetAccounts(20, 7));
    expect(fleetAccounts(20, 7)).toEqual(fleetAccounts(50, 7).slice(0, 20));
    expect(fleetAccounts(20, 7)).not.toEqual(fleetAccounts(20, 8));
  });

  it('creates unique and consistent names', () => checkNames(fleetAccounts(500)));
});
