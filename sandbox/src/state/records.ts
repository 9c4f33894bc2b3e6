import type { BackupJobSeed, PlanSeed, ServerSeed } from '../accounts/account-seed.ts';
import type { Growth } from '../figures/growth.ts';
import type { LoadProfile } from '../figures/load.ts';
import type { Zone } from '../time/zone.ts';

/** The state of one account. Calls can change this state. `...At` fields are instants. `...Day` fields are wall-clock days since 1970. */
export interface AccountRecord {
  readonly login: string;
  password: string;
  /** The password of the control panel. */
  readonly mainPassword: string;
  token: string;
  readonly zone: Zone;
  readonly plan: PlanSeed;
  readonly server: ServerSeed;
  disk: Growth;
  diskLimit: number | undefined;
  balance: Growth;
  readonly dailyCharge: number;
  /** Methods (specification's dialect) or sections (provider's dialect) that the API password may not use. */
  readonly forbidden: Set<string>;
  readonly sites: SiteRecord[];
  readonly deletedSites: Deleted<SiteRecord>[];
  readonly databases: DatabaseRecord[];
  readonly deletedDatabases: Deleted<DatabaseRecord>[];
  readonly domains: DomainRecord[];
  readonly subdomains: SubdomainRecord[];
  /** DNS records changed by calls; the key is the name of the zone. */
  readonly dns: Map<string, readonly DnsRecord[]>;
  /** Name servers changed by calls; the key is the name of the domain. */
  readonly nameServers: Map<string, readonly NameServer[]>;
  readonly mailboxes: MailboxRecord[];
  /** The address that receives the mail for unknown mailboxes of a domain. */
  readonly domainMailboxes: Map<string, string>;
  readonly ftpAccounts: FtpAccountRecord[];
  readonly cronTasks: CronTaskRecord[];
  cronEmail: string | null;
  /** The logins that may use SSH: the login of the account, and logins of FTP accounts. */
  readonly sshLogins: Set<string>;
  readonly backupJobs: BackupJob[];
  readonly restoredFiles: RestoredFiles[];
  backupsStoppedAt: number | undefined;
  /** The next id. Sites, domains, tasks and jobs share one sequence of ids. */
  nextId: number;
}

export interface Deleted<Item> {
  readonly item: Item;
  readonly deletedAt: number;
}

export interface SiteRecord {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  frozen: boolean;
  /** The paths that stay writable while the site is frozen. */
  excludedPaths: readonly string[];
  domainIds: number[];
  readonly load: LoadProfile;
}

export interface DatabaseRecord {
  readonly name: string;
  readonly user: string;
  readonly createdAt: number;
  size: Growth;
  readonly load: LoadProfile;
  /** The hosts that may connect, each with its password. */
  readonly accesses: Map<string, string>;
}

/** A domain or subdomain. */
interface NameRecord {
  readonly id: number;
  readonly fqdn: string;
  readonly ssl: boolean;
  phpVersion: string;
  cgi: boolean;
  directives: readonly Directive[];
}

export interface DomainRecord extends NameRecord {
  readonly addedAt: number;
  readonly autoRenew: boolean;
  readonly renewal: string | null;
  readonly registeredDay: number | undefined;
  readonly expiresDay: number | undefined;
  readonly registrar: string | null;
  readonly status: string | null;
  readonly underControl: boolean;
}

export interface SubdomainRecord extends NameRecord {
  readonly domainId: number;
}

/** A setting of the web server for a domain. */
export interface Directive {
  readonly name: string;
  readonly value: string;
}

/** A name server of a domain. A name server below the domain has an address. Other name servers have an empty address. */
export interface NameServer {
  readonly host: string;
  readonly address: string;
}

/** In the provider's dialect, the value of an SRV record is `WEIGHT PORT TARGET`. The value of a CAA record is `FLAGS TAG VALUE`. */
export interface DnsRecord {
  readonly type: string;
  readonly value: string;
  readonly priority?: number;
}

export interface MailboxRecord {
  readonly mailbox: string;
  readonly domain: string;
  password: string;
  spamFilter: boolean;
  forwardStatus: ForwardStatus;
  forwardTo: string[];
}

export const forwardStatuses = ['no_forward', 'forward', 'forward_and_delete'] as const;

export type ForwardStatus = (typeof forwardStatuses)[number];

export interface FtpAccountRecord {
  readonly login: string;
  readonly homedir: string;
  password: string;
}

export interface CronTaskRecord {
  readonly id: number;
  minutes: string;
  hours: string;
  days: string;
  months: string;
  weekdays: string;
  command: string;
  disabled: boolean;
}

export interface BackupJob extends Required<Omit<BackupJobSeed, 'hoursAgo'>> {
  readonly id: number;
  readonly createdAt: number;
}

export interface RestoredFiles {
  readonly path: string;
  readonly backupAt: number;
  readonly restoredAt: number;
}

/** Returns an unused id of the account. */
export function takeId(state: AccountRecord): number {
  const id = state.nextId;
  state.nextId += 1;
  return id;
}
