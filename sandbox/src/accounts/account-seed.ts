/** Builds an unsecured JWT (RFC 7519), which is a JWT without a signature. */
export function unsecuredToken(login: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ iss: 'sandbox', sub: login })}.`;
}

/** Initial state of an account. The seed, the clock and calls that change the account determine all later figures. */
export interface AccountSeed {
  readonly login: string;
  /** The API password. Permissions limit the methods that this password may use. */
  readonly password: string;
  /** The password of the control panel. With this password, the API permits every method. */
  readonly mainPassword: string;
  readonly token: string;
  /** In a fleet: the customer for whom the agency runs this account. */
  readonly customer?: string | undefined;
  readonly plan: PlanSeed;
  readonly server: ServerSeed;
  /** Initial usage in bytes, growth in bytes per day, and the disk quota in bytes. Growth stops at the quota. */
  readonly disk: { readonly usage: number; readonly growthPerDay?: number; readonly limit?: number };
  /** Initial balance. The balance decreases by `dailyCharge` per day. */
  readonly balance: number;
  readonly dailyCharge: number;
  readonly sites?: readonly SiteSeed[];
  readonly domains?: readonly DomainSeed[];
  /** Names of subdomains. Each subdomain is below one of the domains. */
  readonly subdomains?: readonly string[];
  readonly databases?: readonly DatabaseSeed[];
  readonly mailboxes?: readonly MailboxSeed[];
  readonly ftpAccounts?: readonly { readonly login: string; readonly homedir: string }[];
  readonly cronTasks?: readonly CronTaskSeed[];
  /** The address that receives the output of cron tasks, if there is one. */
  readonly cronEmail?: string;
  /** Restores and downloads before the start of the sandbox, oldest first. */
  readonly backupJobs?: readonly BackupJobSeed[];
  /** For how many days there has been no new backup; undefined if backups have not stopped. */
  readonly backupsStoppedDaysAgo?: number;
  /** Methods (`mysql/getList`) and sections (`mysql`) that the API password may not use. */
  readonly forbidden?: readonly string[];
  /** Overrides the time zone of the sandbox. */
  readonly timeZone?: string;
}

/** The limits of a plan. A missing limit means unlimited. */
export interface PlanSeed {
  readonly name: string;
  readonly sites?: number;
  readonly domains?: number;
  readonly databases?: number;
  readonly mailboxes?: number;
  readonly ftpAccounts?: number;
  readonly load?: number;
}

/** `memory` is in mebibytes. A `legacy` server prints many numbers as strings, as in the provider's documentation. */
export interface ServerSeed {
  readonly name: string;
  readonly memory: number;
  readonly legacy?: boolean;
}

export interface SiteSeed {
  readonly name: string;
  /** Mean daily load. */
  readonly load: number;
  readonly peakHour?: number;
  /** Linked domains; by default the domain with the site's name. */
  readonly domains?: readonly string[];
  readonly frozen?: boolean;
}

/**
 * A domain. By default, the domain is registered at the provider and renewed automatically. Without `expiresInDays`, the provider does not
 * manage the domain.
 */
export interface DomainSeed {
  readonly fqdn: string;
  readonly expiresInDays?: number;
  readonly autoRenew?: boolean;
  /** The status of the newest order to renew the domain, if there is one. */
  readonly renewal?: 'pending' | 'success' | 'error' | 'canceled' | 'delete';
  readonly registrar?: string;
  readonly status?: string;
  readonly phpVersion?: string;
  readonly ssl?: boolean;
}

export interface DatabaseSeed {
  readonly name: string;
  /** Defaults to the name of the database. */
  readonly user?: string;
  /** The initial size in bytes. `growthPerDay` is in bytes, too. */
  readonly size: number;
  readonly growthPerDay?: number;
  /** Mean daily load. */
  readonly load: number;
  readonly peakHour?: number;
  /** Share of days without load. */
  readonly idleDays?: number;
}

export interface MailboxSeed {
  readonly mailbox: string;
  readonly domain: string;
  readonly spamFilter?: boolean;
  readonly forwardTo?: readonly string[];
}

/** A restore or download. Its status is `success` by default. The provider documents no other status. */
export interface BackupJobSeed {
  readonly operation: 'download' | 'restore';
  readonly kind: 'file' | 'mysql';
  readonly targets: readonly string[];
  readonly hoursAgo: number;
  readonly status?: 'success' | 'error';
}

/** `schedule` has the five fields of a crontab. */
export interface CronTaskSeed {
  readonly schedule: string;
  readonly command: string;
  readonly disabled?: boolean;
}
