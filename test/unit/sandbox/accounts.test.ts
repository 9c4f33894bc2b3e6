import { describe, expect, it } from 'vitest';
import type { AccountSeed } from '../../../src/sandbox/accounts/account-seed.ts';
import { demoAccounts } from '../../../src/sandbox/accounts/demo-accounts.ts';
import { fleetAccounts } from '../../../src/sandbox/accounts/fleet.ts';
import { createAccountState } from '../../../src/sandbox/state/create-account-state.ts';

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

function checkNames(accounts: readonly AccountSeed[]): void {
  expect(repeated(accounts.map((account) => account.login))).toEqual([]);
  expect(repeated(accounts.map((account) => account.token))).toEqual([]);
  for (const { sites = [], databases = [], domains = [] } of accounts) {
    expect(repeated(sites.map((site) => site.name))).toEqual([]);
    expect(repeated(databases.map((database) => database.name))).toEqual([]);
    expect(repeated(domains.map((domain) => domain.fqdn))).toEqual([]);
  }
}

describe('demo accounts', () => {
  it('have unique and consistent names', () => {
    checkNames(demoAccounts);
    for (const account of demoAccounts) {
      expect(createAccountState(account, 0, 'UTC').sites).toHaveLength(account.sites?.length ?? 0);
    }
  });

  it('have passwords that clients must encode', () => {
    for (const { password } of demoAccounts) {
      expect(encodeURIComponent(password)).not.toBe(password);
      expect(password).toMatch(/[&%]/);
    }
  });

  it('are a small, a growing, a large and an unlimited account', () => {
    const [blog, shop, agency, unlimited] = demoAccounts;

    expect(blog?.sites).toHaveLength(2);
    expect((shop?.disk.usage ?? 0) + (shop?.disk.growthPerDay ?? 0)).toBeGreaterThan(0.9 * (shop?.disk.limit ?? 0));
    expect(agency?.sites?.length).toBeGreaterThan(30);
    expect(agency?.databases?.length).toBeGreaterThan(30);
    expect(agency?.sites?.filter((site) => /\p{Script=Cyrillic}/u.test(site.name)).length).toBeGreaterThan(10);
    expect(agency?.sites?.filter((site) => site.name.startsWith('xn--'))).toHaveLength(4);
    expect(unlimited?.disk.limit).toBeUndefined();
  });

  it('stay within their plans', () => {
    for (const { plan, sites = [], databases = [], domains = [], mailboxes = [], cronTasks = [] } of demoAccounts) {
      expect(sites.length).toBeLessThanOrEqual(plan.sites ?? Number.POSITIVE_INFINITY);
      expect(databases.length).toBeLessThanOrEqual(plan.databases ?? Number.POSITIVE_INFINITY);
      expect(domains.length).toBeLessThanOrEqual(plan.domains ?? Number.POSITIVE_INFINITY);
      expect(mailboxes.length).toBeLessThanOrEqual(plan.mailboxes ?? Number.POSITIVE_INFINITY);
      expect(cronTasks.every((task) => task.schedule.split(' ').length === 5)).toBe(true);
    }
  });
});

describe('fleetAccounts', () => {
  it('creates the same accounts for the same seed, regardless of the count', () => {
    expect(fleetAccounts(20, 7)).toEqual(fleetAccounts(20, 7));
    expect(fleetAccounts(20, 7)).toEqual(fleetAccounts(50, 7).slice(0, 20));
    expect(fleetAccounts(20, 7)).not.toEqual(fleetAccounts(20, 8));
  });

  it('creates unique and consistent names', () => {
    const accounts = fleetAccounts(500);

    checkNames(accounts);
    expect(accounts.map((account) => createAccountState(account, 0, 'UTC'))).toHaveLength(500);
  });

  it('creates accounts of every kind', () => {
    const accounts = fleetAccounts(500);
    const share = (matches: (account: AccountSeed) => boolean) => accounts.filter(matches).length / accounts.length;

    expect(share((account) => account.disk.limit === undefined)).toBeGreaterThan(0.02);
    expect(share((account) => account.balance < 0)).toBeGreaterThan(0.05);
    expect(share((account) => account.disk.usage > 0.9 * (account.disk.limit ?? 0))).toBeGreaterThan(0.02);
    expect(share((account) => account.databases?.length === 0)).toBeGreaterThan(0.1);
  });
});
