import type { AccountSeed, CronTaskSeed, DatabaseSeed, DomainSeed } from '../accounts/account-seed.ts';
import { growingFrom } from '../figures/growth.ts';
import { hashText, noise } from '../figures/noise.ts';
import { createZone, day } from '../time/zone.ts';
import { loadTraits } from './load-traits.ts';
import type { AccountState, CronTaskRecord, DatabaseRecord, DomainRecord } from './records.ts';

/** Throws a RangeError for a time zone that does not exist, an Error for a site's domain that the seed does not name. */
export function createAccountState(seed: AccountSeed, start: number, timeZone: string): AccountState {
  const zone = createZone(seed.timeZone ?? timeZone);
  const today = Math.floor(zone.toWall(start) / day);
  let nextId = 100_000 + (hashText(seed.login) % 800_000);
  const takeId = () => {
    nextId += 1;
    return nextId;
  };
  const domains = (seed.domains ?? []).map((domain) => createDomain(domain, takeId(), start, today));
  const state: AccountState = {
    login: seed.login,
    password: seed.password,
    token: seed.token,
    zone,
    plan: seed.plan,
    server: seed.server,
    disk: growingFrom(start, seed.disk.usage, seed.disk.growthPerDay),
    diskLimit: seed.disk.limit,
    balance: growingFrom(start, seed.balance, -seed.dailyCharge),
    dailyCharge: seed.dailyCharge,
    forbidden: new Set(seed.forbidden),
    sites: (seed.sites ?? []).map((site) => ({
      id: takeId(),
      name: site.name,
      createdAt: Number.NEGATIVE_INFINITY,
      frozen: site.frozen ?? false,
      domainIds: (site.domains ?? [site.name]).map((fqdn) => idOfDomain(domains, fqdn, seed.login)),
      load: loadTraits(`${seed.login}/site/${site.name}`, site.load, { peakHour: site.peakHour }),
    })),
    deletedSites: [],
    databases: (seed.databases ?? []).map((database) => createDatabase(database, seed.login, start)),
    deletedDatabases: [],
    domains,
    subdomains: [],
    dns: new Map(),
    mailboxes: (seed.mailboxes ?? []).map(({ mailbox, domain, spamFilter = true, forwardTo = [] }) => ({
      mailbox,
      domain,
      spamFilter,
      password: 'initial',
      forwardStatus: forwardTo.length > 0 ? 'forward' : 'no_forward',
      forwardTo: [...forwardTo],
    })),
    domainMailboxes: new Map(),
    ftpAccounts: (seed.ftpAccounts ?? []).map((ftp) => ({ ...ftp, password: 'initial' })),
    cronTasks: (seed.cronTasks ?? []).map((task) => createCronTask(task, takeId())),
    cronEmail: null,
    backupJobs: [],
    restoredFiles: [],
    backupsStoppedAt: undefined,
    nextId: 0,
  };
  state.nextId = nextId + 1;
  return state;
}

function createDomain(seed: DomainSeed, id: number, start: number, today: number): DomainRecord {
  const random = hashText(seed.fqdn);
  const age = 200 + Math.floor(noise(random, 0) * 3000);
  const controlled = seed.expiresInDays !== undefined;
  return {
    id,
    fqdn: seed.fqdn,
    addedAt: start - age * day + Math.floor(noise(random, 1) * day),
    autoRenew: seed.autoRenew ?? controlled,
    registeredDay: controlled ? today - age : undefined,
    expiresDay: seed.expiresInDays === undefined ? undefined : today + seed.expiresInDays,
    registrar: controlled ? (seed.registrar ?? 'beget') : null,
    status: controlled ? (seed.status ?? 'delegated') : null,
    underControl: controlled,
    ssl: seed.ssl ?? true,
    phpVersion: seed.phpVersion ?? '8.2',
    cgi: false,
  };
}

function idOfDomain(domains: readonly DomainRecord[], fqdn: string, login: string): number {
  const domain = domains.find((candidate) => candidate.fqdn === fqdn);
  if (domain === undefined) {
    throw new Error(`The seed of the account ${login} links the domain ${fqdn} to a site, but has no such domain.`);
  }
  return domain.id;
}

function createDatabase(seed: DatabaseSeed, login: string, start: number): DatabaseRecord {
  return {
    name: seed.name,
    user: seed.user ?? seed.name,
    createdAt: Number.NEGATIVE_INFINITY,
    size: growingFrom(start, seed.size, seed.growthPerDay),
    load: loadTraits(`${login}/database/${seed.name}`, seed.load, {
      peakHour: seed.peakHour,
      idleHours: 0.1,
      idleDays: seed.idleDays,
    }),
    accesses: new Map([['localhost', 'initial']]),
  };
}

function createCronTask(seed: CronTaskSeed, id: number): CronTaskRecord {
  const [minutes = '*', hours = '*', days = '*', months = '*', weekdays = '*'] = seed.schedule.split(' ');
  return { id, minutes, hours, days, months, weekdays, command: seed.command, disabled: seed.disabled ?? false };
}
