/** What an account is when the sandbox starts; everything it shows follows from this, the clock and what is done to it. */
export interface AccountSeed {
  readonly login: string;
  /** The API password. */
  readonly password: string;
  /** The bearer token. */
  readonly token: string;
  readonly plan: PlanSeed;
  readonly server: ServerSeed;
  /** Bytes at the start, bytes more a day, and the plan's limit: left out where there is none. Usage never passes it. */
  readonly disk: { readonly usage: number; readonly growthPerDay?: number; readonly limit?: number };
  /** What is left on the account, and what a day costs. */
  readonly balance: number;
  readonly dailyCharge: number;
  readonly sites?: readonly SiteSeed[];
  readonly domains?: readonly DomainSeed[];
  readonly databases?: readonly DatabaseSeed[];
  readonly mailboxes?: readonly MailboxSeed[];
  readonly ftpAccounts?: readonly { readonly login: string; readonly homedir: string }[];
  readonly cronTasks?: readonly CronTaskSeed[];
  /** Methods (`mysql/getList`) and sections (`mysql`) that the API password does not permit. */
  readonly forbidden?: readonly string[];
  /** Instead of the sandbox's own. */
  readonly timeZone?: string;
}

/** A plan's limits, each left out where there is none. */
export interface PlanSeed {
  readonly name: string;
  readonly sites?: number;
  readonly domains?: number;
  readonly databases?: number;
  readonly mailboxes?: number;
  readonly ftpAccounts?: number;
  readonly load?: number;
}

/** `memory` in megabytes. An `old` server prints many numbers as strings, as the provider's documentation does; a new one as seen live. */
export interface ServerSeed {
  readonly name: string;
  readonly memory: number;
  readonly old?: boolean;
}

export interface SiteSeed {
  readonly name: string;
  /** Mean load of a day. */
  readonly load: number;
  readonly peakHour?: number;
  /** Linked domains; the domain of the site's own name where left out. */
  readonly domains?: readonly string[];
  readonly frozen?: boolean;
}

/** A domain, by default registered here and renewed by itself. Without `expiresInDays` it is not under the provider's control. */
export interface DomainSeed {
  readonly fqdn: string;
  readonly expiresInDays?: number;
  readonly autoRenew?: boolean;
  readonly registrar?: string;
  readonly status?: string;
  readonly phpVersion?: string;
  readonly ssl?: boolean;
}

export interface DatabaseSeed {
  readonly name: string;
  /** The name of the database where left out. */
  readonly user?: string;
  /** Bytes at the start, and bytes more a day. */
  readonly size: number;
  readonly growthPerDay?: number;
  /** Mean load of a day. */
  readonly load: number;
  readonly peakHour?: number;
  /** Share of days on which nobody uses it. */
  readonly idleDays?: number;
}

export interface MailboxSeed {
  readonly mailbox: string;
  readonly domain: string;
  readonly spamFilter?: boolean;
  readonly forwardTo?: readonly string[];
}

/** `schedule` as five fields of a crontab. */
export interface CronTaskSeed {
  readonly schedule: string;
  readonly command: string;
  readonly disabled?: boolean;
}
