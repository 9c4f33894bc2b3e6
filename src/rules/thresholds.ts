/** From the most to the least severe: critical pages someone, warning is read the next morning, info notifies no one. */
export const severities = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

/** The unit of a threshold, a parameter or a figure. `intervals` are multiples of a collector's poll interval. */
export type Unit =
  | 'ratio'
  | 'bytes'
  | 'seconds'
  | 'hours'
  | 'days'
  | 'times'
  | 'intervals'
  | 'count'
  | 'accounts'
  | 'load'
  | 'money';

/** One severity of an alert. */
export interface Level {
  /** The threshold in the alert's unit; absent if the alert compares nothing. */
  readonly value?: number;
  /** A firing alert ends only beyond this value, so that a figure near the threshold does not fire it again and again. */
  readonly until?: number;
  /** Prometheus duration for which the condition must hold. */
  readonly for: string;
  readonly why: string;
}

/** A further number or duration in the condition of an alert. A string is a Prometheus duration. */
export interface Parameter {
  readonly value: number | string;
  readonly unit: Unit;
  readonly why: string;
}

/** Everything about an alert that users can change, with its default and the reason for it. */
export interface Thresholds {
  /** The compared quantity, or the condition if the alert compares nothing. */
  readonly description: string;
  readonly unit?: Unit;
  /** `above` fires at the threshold and above it, `below` fires below it, like the steps of a Grafana panel. */
  readonly direction?: 'above' | 'below';
  /** The largest valid threshold, if it is not 1 for a ratio and unlimited for other units. */
  readonly maximum?: number;
  /** Whether the configuration of an account can override the threshold. */
  readonly perAccount: boolean;
  readonly levels: Readonly<Partial<Record<Severity, Level>>>;
  readonly keepFiringFor?: string;
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

/** The defaults of every alert, in the order of triage: exporter, provider, collectors, then the accounts. */
export const thresholds = {
  HostingExporterDown: {
    description: 'Prometheus cannot scrape the exporter.',
    perAccount: false,
    levels: {
      critical: {
        for: '5m',
        why: 'At least one account is not monitored. Five minutes are enough to restart or move an exporter.',
      },
      warning: { for: '15m', why: 'Other exporters still report all its accounts, but redundancy is lost.' },
    },
    // Longer than the pauses of a crash loop in Kubernetes: otherwise each restart would resolve the alert and page again.
    keepFiringFor: '15m',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'How long the accounts of an exporter are remembered after it went down.',
      },
    },
  },
  HostingExporterAbsent: {
    description: 'Prometheus has no target for the job.',
    perAccount: false,
    levels: {
      critical: { for: '15m', why: 'Longer than Prometheus needs to discover its targets after a restart.' },
    },
  },
  HostingExporterRestarting: {
    description: 'Starts of an exporter within the window, without the first.',
    unit: 'count',
    direction: 'above',
    perAccount: false,
    levels: {
      warning: {
        value: 3,
        until: 1,
        for: '2m',
        why: 'Three restarts are a crash loop: a release restarts an exporter once. Ends after an hour without a restart.',
      },
    },
    parameters: {
      window: {
        value: '1h',
        unit: 'seconds',
        why: 'Covers four restarts by a supervisor that waits up to 15 minutes.',
      },
    },
  },
  HostingProviderUnreachable: {
    description: 'Share of accounts whose newest poll got no answer from the API. Rejected credentials are an answer.',
    unit: 'ratio',
    direction: 'above',
    perAccount: false,
    levels: {
      critical: {
        value: 0.6,
        until: 0.3,
        for: '10m',
        why: 'Simultaneous failures have one cause. Two of three accounts reach the threshold, one of two does not. Accounts recover one after the other: the alert ends when fewer than 0.3 are left.',
      },
    },
    keepFiringFor: '30m',
    parameters: {
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'Minimum number of accounts. With fewer, HostingAccountUnreachable reports the failure.',
      },
    },
  },
  HostingAccountUnreachable: {
    description:
      'The newest poll of one account got no answer from the API, while HostingProviderUnreachable does not fire.',
    perAccount: false,
    levels: {
      warning: {
        for: '15m',
        why: 'Longer than a restart of the API. After HostingProviderUnreachable and before HostingPollFailing.',
      },
    },
    keepFiringFor: '30m',
  },
  HostingMostLoginsRejected: {
    description: 'Share of accounts whose credentials the API rejected in their newest poll.',
    unit: 'ratio',
    direction: 'above',
    perAccount: false,
    levels: {
      critical: {
        value: 0.6,
        until: 0.2,
        for: '10m',
        why: 'Many customers do not change their passwords at the same time: the provider, or the address that it sees, has changed. Ends when most accounts have new credentials; HostingCredentialsRejected reports the rest.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'Minimum number of accounts. With fewer, HostingCredentialsRejected reports the rejection.',
      },
    },
  },
  HostingCredentialsRejected: {
    description: 'The API rejected the credentials of the account in its newest poll.',
    perAccount: false,
    levels: {
      warning: {
        for: '10m',
        why: 'Two intervals of the account collector: a single rejection does not fire the alert.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingPollFailing: {
    description:
      'Age of the newest successful poll in intervals of the collector. Without one, counted from when the collector first appeared.',
    unit: 'intervals',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: {
        value: 3,
        until: 2,
        for: '9m',
        why: 'Results expire ten minutes after three intervals. The alert fires just before that, and after any alert that names the cause. Ends with the next successful poll, two intervals later if it was late.',
      },
    },
    keepFiringFor: '30m',
    parameters: {
      memory: {
        value: '1h',
        unit: 'seconds',
        why: 'How long the last successful poll is remembered while an exporter is away, so that an exporter in a restart loop is detected.',
      },
    },
  },
  HostingAccountMissing: {
    description: 'An account that was configured within the last day is gone, although all exporters answer.',
    perAccount: false,
    levels: {
      warning: {
        for: '20m',
        why: 'An account is gone after ten minutes without it. Half an hour in all is longer than a rollout that moves accounts between exporters.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'How long a missing account is remembered. After that the alert resolves automatically. The other alerts of the account keep its last known figures for the same day.',
      },
    },
  },
  HostingConfigReloadFailed: {
    description:
      'The newest reload of the configuration or of the web configuration file failed, and the exporter keeps the previous one.',
    perAccount: false,
    levels: {
      warning: { for: '15m', why: 'Leaves time to correct an edit in progress.' },
    },
  },
  HostingStateNotSaved: {
    description: 'The newest attempt to save figures in the state directory failed.',
    perAccount: false,
    levels: {
      warning: { for: '1h', why: 'Nothing is lost before the next restart, and a full disk has alerts of its own.' },
    },
  },
  HostingSeriesDropped: {
    description: 'Series that a collector dropped from its newest results because of max_series.',
    perAccount: false,
    levels: {
      warning: {
        for: '15m',
        why: 'Some sites or databases are not monitored, and that does not change without action.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingApiLimitHit: {
    description: 'API calls that the provider refused because its limit per minute was reached.',
    perAccount: false,
    levels: {
      info: { for: '30m', why: 'With the window, an hour of refusals: one busy minute does not fire the alert.' },
    },
    parameters: {
      window: {
        value: '30m',
        unit: 'seconds',
        why: 'How long a refusal counts. Must cover the gap between two polls.',
      },
    },
  },
  HostingApiBudgetExhausted: {
    description: 'API calls that waited for the budget of the account (requests_per_minute) during the whole window.',
    perAccount: false,
    levels: {
      info: { for: '30m', why: 'A queue that does not empty within an hour never will: polls are late.' },
    },
    parameters: {
      window: { value: '30m', unit: 'seconds', why: 'The queue must not have been empty at any time in this window.' },
    },
  },
  HostingPermissionMissing: {
    description: 'A collector fails because its API method is not permitted.',
    perAccount: false,
    levels: {
      warning: {
        for: '15m',
        why: 'For the account collector only: without it, no alert about disk space and money can fire.',
      },
      info: { for: '15m', why: 'For all other collectors. Often intended, and nothing breaks, so no one is notified.' },
    },
  },
  HostingDiskAlmostFull: {
    description: 'Share of the disk quota that is used.',
    unit: 'ratio',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: {
        value: 0.85,
        until: 0.82,
        for: '30m',
        why: 'Leaves time to clean up or to order a bigger plan. 3 % less end the alert: caches and sessions come and go.',
      },
      critical: {
        value: 0.95,
        until: 0.93,
        for: '15m',
        why: 'At the quota, mail bounces, and uploads and database writes fail. Pages only if the quota is exceeded, if less than `free` is left, if it is full within `days`, or if its growth is not known yet.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      free: {
        value: 100_000_000,
        unit: 'bytes',
        why: 'One upload can fill so little space, even if the disk did not grow in the last days.',
      },
      days: {
        value: 3,
        unit: 'days',
        why: 'A page at any time of the day is justified if the disk is full before a long weekend is over. More days are the business of the warning.',
      },
    },
  },
  HostingDiskFillingUp: {
    description: 'Days until the disk quota is used up, at the growth rate of the last days.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 14,
        until: 21,
        for: '6h',
        why: 'Two weeks are enough to order a bigger plan. Six hours are longer than any upload. Growth differs from day to day: the alert ends when three weeks are left.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      floor: {
        value: 0.6,
        unit: 'ratio',
        why: 'Minimum usage. Below it there is time, even if the forecast is short.',
      },
    },
  },
  HostingDiskFillingUpFast: {
    description:
      'Hours until the disk quota is used up, at the slower of two growth rates: last half hour and last three hours.',
    unit: 'hours',
    direction: 'below',
    perAccount: true,
    levels: {
      critical: {
        value: 12,
        until: 18,
        for: '30m',
        why: 'The account is full before morning. `for` is as long as the short window, so that a single step does not fire the alert. Ends when the growth stops, or slows to 18 hours.',
      },
    },
    parameters: {
      floor: {
        value: 0.75,
        unit: 'ratio',
        why: 'Minimum usage. Below it there is time, even if the forecast is short.',
      },
      still: {
        value: '8m',
        unit: 'seconds',
        why: 'Without an increase for this long, the growth has stopped and the alert ends. More than one interval of the account collector; for accounts with a longer interval, the growth rates decide.',
      },
      short: {
        value: '30m',
        unit: 'seconds',
        why: 'The shorter of the two windows for the growth rate. At least 3 intervals of the account collector.',
      },
      long: { value: '3h', unit: 'seconds', why: 'Longer than an upload, shorter than a night.' },
      memory: {
        value: '2d',
        unit: 'seconds',
        why: 'Usage must be higher than at any time in this window, which excludes a nightly backup.',
      },
    },
  },
  HostingAccountBlockedSoon: {
    description: 'Whole days until the provider suspends the account for insufficient funds, by its own estimate.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 7,
        until: 9,
        for: '1h',
        why: 'A bank transfer may take some working days. The estimate moves by a day or two with the daily charge; a payment moves it by weeks.',
      },
      critical: {
        value: 3,
        until: 5,
        for: '1h',
        why: 'Two days or less, which may be a weekend. After that the account is down with all its sites and mail. Ends with a payment, not with a better estimate.',
      },
    },
    keepFiringFor: '3h',
  },
  HostingDomainExpired: {
    description: 'Whole days until a domain expires, for domains that have expired.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      critical: {
        value: 0,
        until: 1,
        for: '15m',
        why: 'The sites and mail of the domain no longer work. A renewal adds a year.',
      },
    },
    keepFiringFor: '1h',
    parameters: {
      forget: {
        value: 30,
        unit: 'days',
        why: 'After a month the domain is considered abandoned. Providers list expired domains for a long time.',
      },
    },
  },
  HostingDomainExpiring: {
    description: 'Whole days until a domain expires, for domains without automatic renewal.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 30,
        until: 32,
        for: '1h',
        why: 'Leaves time to ask the customer whether the domain is still needed. A renewal adds a year; two days more are a corrected date.',
      },
      critical: {
        value: 7,
        until: 9,
        for: '1h',
        why: 'Renewal requires payment, sometimes documents, and may take days. Ends with the renewal.',
      },
    },
    keepFiringFor: '1h',
  },
  HostingDomainRenewalOverdue: {
    description: 'Whole days until a domain expires, for domains with automatic renewal.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 3,
        until: 5,
        for: '1h',
        why: 'Automatic renewal runs earlier. This late it has failed, usually because of insufficient funds. Ends with the renewal.',
      },
    },
    keepFiringFor: '1h',
  },
  HostingBackupTooOld: {
    description: 'Age of the newest backup.',
    unit: 'days',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: {
        value: 5,
        until: 4,
        for: '1h',
        why: 'Providers delete some backups from the list: gaps of two or three days are normal. A new backup is less than a day old.',
      },
    },
    keepFiringFor: '3h',
  },
  HostingBackupMissing: {
    description:
      'Largest number of backups listed at any time within `memory`; 0 also if the provider no longer says how many there are.',
    unit: 'count',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 1,
        until: 1,
        for: '1h',
        why: 'No backup for two days. A new account gets its first backup within a night. Ends with the first backup: the two days are slack enough.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      memory: {
        value: '2d',
        unit: 'seconds',
        why: 'How long the account must have been monitored, and how long without a backup.',
      },
    },
  },
  HostingPlanLoadHigh: {
    description: 'Load of all sites together (mean of the last month) as a share of the load that the plan allows.',
    unit: 'ratio',
    direction: 'above',
    maximum: 10,
    perAccount: true,
    levels: {
      warning: {
        value: 0.8,
        until: 0.75,
        for: '2h',
        why: 'Above the limit the provider throttles the account or asks for a bigger plan. The mean of a month changes slowly: 0.75 is a real improvement.',
      },
    },
    keepFiringFor: '3h',
  },
  HostingInventoryCollapsed: {
    description:
      'Number of sites, domains, databases or enabled cron tasks, as a share of the highest number within the last day.',
    unit: 'ratio',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 0.5,
        until: 0.6,
        for: '90m',
        why: 'More than half are gone. Longer than an hourly poll: one wrong answer does not fire the alert. Ends when some are back.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'The comparison window. An intended clean-up is reported for at most this long.',
      },
    },
  },
  HostingMailForwardingStarted: {
    description: 'Mailboxes of a domain that forward their mail, in addition to the lowest number within the last day.',
    unit: 'count',
    direction: 'above',
    perAccount: true,
    levels: {
      info: {
        value: 1,
        for: '15m',
        why: 'One mailbox is enough: forwarding that no one set up is a common sign of a break-in. Usually the owner did, so no one is notified.',
      },
    },
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'The comparison window, and how long the alert fires. Longer than several polls of the mailboxes.',
      },
    },
  },
  HostingSiteLoadUnusual: {
    description:
      'Load of a site in its newest complete hour, as a multiple of its busiest hour around the same day last week. While the hours of that day are not known, three times its mean hour.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    levels: {
      info: {
        value: 4,
        until: 3,
        for: '90m',
        why: 'Each value stays for an hour, so this requires two unusual hours in a row. Ends when the load is clearly lower.',
      },
    },
    parameters: {
      floor: {
        value: 1,
        unit: 'load',
        why: "Minimum load in the provider's unit. Below it, large multiples are common and harmless.",
      },
      age: {
        value: '4h',
        unit: 'seconds',
        why: 'Maximum age of the hour. The provider omits hours without load, so the newest may be old.',
      },
    },
  },
  HostingDatabaseGrewFast: {
    description: 'Size of a database, as a multiple of its highest size in a window that ends 24 hours ago.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    levels: {
      info: {
        value: 1.5,
        until: 1.4,
        for: '1h',
        why: 'Usually a table of logs or spam. The disk alerts fire when it becomes urgent. Ends after a day, or when the table is cleared.',
      },
    },
    parameters: {
      memory: {
        value: '6h',
        unit: 'seconds',
        why: 'Longer than a restore that drops the database and imports it again.',
      },
      floor: { value: 100_000_000, unit: 'bytes', why: 'Minimum size. Small databases double easily and harmlessly.' },
    },
  },
} as const satisfies Readonly<Record<string, Thresholds>>;

export type AlertName = keyof typeof thresholds;

/** All alerts, in the order of triage. */
export const alertNames = Object.keys(thresholds) as AlertName[];

/** An alert whose threshold an account can override. Overrides are exported as `hosting_account_alert_threshold`. */
export interface OverridableAlert {
  readonly alert: AlertName;
  readonly description: string;
  readonly unit: Unit;
  /** `off` is exported as +Inf for `above` and as -Inf for `below`, which no value exceeds. */
  readonly direction: 'above' | 'below';
  /** The largest valid threshold; infinite if any number is valid. */
  readonly maximum: number;
  readonly defaults: Readonly<Partial<Record<Severity, number>>>;
}

/** The alerts that the configuration of an account accepts under `alerts`. */
export const overridableAlerts: readonly OverridableAlert[] = alertNames.flatMap((alert) => {
  const { description, unit, direction, maximum, perAccount, levels }: Thresholds = thresholds[alert];
  if (!perAccount || unit === undefined || direction === undefined) {
    return [];
  }
  const defaults: Partial<Record<Severity, number>> = {};
  for (const severity of severities) {
    const value = levels[severity]?.value;
    if (value !== undefined) {
      defaults[severity] = value;
    }
  }
  const defaultMaximum = unit === 'ratio' ? 1 : Number.POSITIVE_INFINITY;
  return [{ alert, description, unit, direction, maximum: maximum ?? defaultMaximum, defaults }];
});
