import type { AccountSeed, DatabaseSeed, DomainSeed } from '../accounts/account-seed.ts';
import { startGrowth } from '../figures/growth.ts';
import { loadProfile } from '../figures/load.ts';
import { hashText, noise } from '../figures/noise.ts';
import { createZone, day, hour } from '../time/zone.ts';
import { createSubdomain, parentOf } from './domains.ts';
import { readZoneName } from './names.ts';
import type { AccountRecord, DatabaseRecord, DomainRecord } from './records.ts';

/** Throws a RangeError for an unknown time zone, and an Error if the domain of a site or subdomain is missing in `seed`. */
export function createAccountState(seed: AccountSeed, start: number, timeZone: string): AccountRecord {
  const zone = createZone(seed.timeZone ?? timeZone);
  const today = Math.floor(zone.toWall(start) / day);
  let nextId = 100_000 + (hashText(seed.login) % 800_000);
  const takeId = () => {
    nextId += 1;
    return nextId;
  };
  const domains = (seed.domains ?? []).map((domain) => createDomain(domain, takeId(), start, today));
  const state: AccountRecord = {
    login: seed.login,
    password: seed.password,
    mainPassword: seed.mainPassword,
    token: seed.token,
    zone,
    plan: seed.plan,
    server: seed.server,
    disk: startGrowth(start, seed.disk.usage, seed.disk.growthPerDay),
    diskLimit: seed.disk.limit,
    balance: startGrowth(start, seed.balance, -seed.dailyCharge),
    dailyCharge: seed.dailyCharge,
    forbidden: new Set(),
    sites: (seed.sites ?? []).map((site) => ({
      id: takeId(),
      name: site.name,
      createdAt: Number.NEGATIVE_INFINITY,
      frozen: site.frozen ?? false,
      excludedPaths: [],
      domainIds: (site.domains ?? [site.name]).map((fqdn) => idOfDomain(domains, fqdn, seed.login)),
      load: loadProfile(`${seed.login}/site/${site.name}`, site.load, { peakHour: site.peakHour }),
    })),
    deletedSites: [],
    databases: (seed.databases ?? []).map((database) => createDatabase(database, seed.login, start)),
    deletedDatabases: [],
    domains,
    subdomains: [],
    dns: new Map(),
    nameServers: new Map(),
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
    cronTasks: (seed.cronTasks ?? []).map(({ schedule, command, disabled = false }) => {
      const [minutes = '*', hours = '*', days = '*', months = '*', weekdays = '*'] = schedule.split(' ');
      return { id: takeId(), minutes, hours, days, months, weekdays, command, disabled };
    }),
    cronEmail: seed.cronEmail ?? null,
    sshLogins: new Set(),
    backupJobs: [],
    restoredFiles: [],
    backupsStoppedAt: seed.backupsStoppedDaysAgo === undefined ? undefined : start - seed.backupsStoppedDaysAgo * day,
    nextId: 0,
  };
  for (const fqdn of seed.subdomains ?? []) {
    const name = readZoneName(fqdn);
    const parent = parentOf(domains, name);
    if (parent === undefined) {
      throw new Error(`The seed of account ${seed.login} has the subdomain ${fqdn}, but no domain above it.`);
    }
    state.subdomains.push(createSubdomain(takeId(), name, parent));
  }
  for (const { hoursAgo, status = 'success', ...job } of seed.backupJobs ?? []) {
    state.backupJobs.push({ id: takeId(), createdAt: start - hoursAgo * hour, status, ...job });
  }
  state.nextId = nextId + 1;
  return state;
}

function createDomain(seed: DomainSeed, id: number, start: number, today: number): DomainRecord {
  const random = hashText(seed.fqdn);
  const age = 200 + Math.floor(noise(random, 0) * 3000);
  const managed = seed.expiresInDays !== undefined;
  return {
    id,
    fqdn: seed.fqdn,
    addedAt: start - age * day + Math.floor(noise(random, 1) * day),
    autoRenew: seed.autoRenew ?? managed,
    renewal: seed.renewal ?? null,
    registeredDay: managed ? today - age : undefined,
    expiresDay: seed.expiresInDays === undefined ? undefined : today + seed.expiresInDays,
    registrar: managed ? (seed.registrar ?? 'beget') : null,
    status: managed ? (seed.status ?? 'delegated') : null,
    underControl: managed,
    ssl: seed.ssl ?? true,
    phpVersion: seed.phpVersion ?? '8.2',
    cgi: false,
    directives: [],
  };
}

function idOfDomain(domains: readonly DomainRecord[], fqdn: string, login: string): number {
  const domain = domains.find((candidate) => candidate.fqdn === fqdn);
  if (domain === undefined) {
    throw new Error(
      `The seed of account ${login} links a site to the domain ${fqdn}, but does not contain this domain.`,
    );
  }
  return domain.id;
}

function createDatabase(seed: DatabaseSeed, login: string, start: number): DatabaseRecord {
  return {
    name: seed.name,
    user: seed.user ?? seed.name,
    createdAt: Number.NEGATIVE_INFINITY,
    size: startGrowth(start, seed.size, seed.growthPerDay),
    load: loadProfile(`${login}/database/${seed.name}`, seed.load, {
      peakHour: seed.peakHour,
      idleHours: 0.1,
      idleDays: seed.idleDays,
    }),
    accesses: new Map([['localhost', 'initial']]),
  };
}
