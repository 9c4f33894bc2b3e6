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
  HostingProviderUnreachable: {
    description: 'Share of accounts whose newest poll got no answer from the API. Rejected credentials are an answer.',
    unit: 'ratio',
    direction: 'above',
    perAccount: false,
    levels: {
      critical: {
        value: 0.6,
        for: '10m',
        why: 'Simultaneous failures have one cause. Two of three accounts reach the threshold, one of two does not. The alert must fire before HostingPollFailing.',
      },
    },
    // Longer than for HostingPollFailing, which this alert inhibits and which would otherwise notify after the outage.
    keepFiringFor: '15m',
    parameters: {
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'Minimum number of accounts. With fewer, HostingPollFailing reports the failure.',
      },
    },
  },
  HostingCredentialsRejected: {
    description: 'The newest poll of the account failed, and the API rejected its credentials within the window.',
    perAccount: false,
    levels: {
      warning: {
        for: '10m',
        why: 'Two intervals of the account collector: a single rejection does not fire the alert.',
      },
    },
    keepFiringFor: '10m',
    parameters: {
      window: {
        value: '90m',
        unit: 'seconds',
        why: 'Must be longer than an hour: after repeated rejections the exporter tries only once an hour.',
      },
    },
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
        for: '9m',
        why: 'Results expire ten minutes after three intervals. The alert fires just before that, and after any alert that names the cause.',
      },
    },
    keepFiringFor: '5m',
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
      warning: { for: '30m', why: 'Longer than a rollout that moves accounts between exporters.' },
    },
    keepFiringFor: '15m',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'How long a missing account is remembered. After that the alert resolves automatically.',
      },
    },
  },
  HostingConfigReloadFailed: {
    description: 'The newest configuration reload failed, and the exporter keeps its previous configuration.',
    perAccount: false,
    levels: {
      warning: { for: '15m', why: 'Leaves time to correct an edit in progress.' },
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
      info: { for: '15m', why: 'Often intended, and nothing breaks, so no one is notified.' },
    },
  },
  HostingDiskAlmostFull: {
    description: 'Share of the disk quota that is used.',
    unit: 'ratio',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: { value: 0.85, for: '30m', why: 'Leaves time to clean up or to order a bigger plan.' },
      critical: { value: 0.95, for: '15m', why: 'At the quota, mail bounces, and uploads and database writes fail.' },
    },
    keepFiringFor: '15m',
  },
  HostingDiskFillingUp: {
    description: 'Days until the disk quota is used up, at the growth rate of the last days.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 14,
        for: '6h',
        why: 'Two weeks are enough to order a bigger plan. Six hours are longer than any upload.',
      },
    },
    keepFiringFor: '15m',
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
        for: '30m',
        why: 'The account is full before morning. `for` is as long as the short window, so that a single step does not fire the alert.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      floor: {
        value: 0.75,
        unit: 'ratio',
        why: 'Minimum usage. Below it there is time, even if the forecast is short.',
      },
      short: {
        value: '30m',
        unit: 'seconds',
        why: 'Resolves the alert soon after the growth stops. At least 3 intervals of the account collector.',
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
      warning: { value: 7, for: '1h', why: 'A bank transfer may take some working days.' },
      critical: {
        value: 3,
        for: '1h',
        why: 'Two days or less, which may be a weekend. After that the account is down with all its sites and mail.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingDomainExpired: {
    description: 'Whole days until a domain expires, for domains that have expired.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      critical: { value: 0, for: '15m', why: 'The sites and mail of the domain no longer work.' },
    },
    keepFiringFor: '15m',
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
      warning: { value: 30, for: '1h', why: 'Leaves time to ask the customer whether the domain is still needed.' },
      critical: { value: 7, for: '1h', why: 'Renewal requires payment, sometimes documents, and may take days.' },
    },
    keepFiringFor: '15m',
  },
  HostingDomainRenewalOverdue: {
    description: 'Whole days until a domain expires, for domains with automatic renewal.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 3,
        for: '1h',
        why: 'Automatic renewal runs earlier. This late it has failed, usually because of insufficient funds.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingBackupTooOld: {
    description: 'Age of the newest backup.',
    unit: 'days',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: {
        value: 5,
        for: '1h',
        why: 'Providers delete some backups from the list: gaps of two or three days are normal.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingBackupMissing: {
    description: 'Largest number of backups listed at any time within `memory`.',
    unit: 'count',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 1,
        for: '1h',
        why: 'No backup for three days. A new account gets its first backup within a night.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      memory: {
        value: '3d',
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
        for: '2h',
        why: 'Above the limit the provider throttles the account or asks for a bigger plan.',
      },
    },
    keepFiringFor: '15m',
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
        for: '90m',
        why: 'More than half are gone. Longer than an hourly poll: one wrong answer does not fire the alert.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'The comparison window. An intended clean-up is reported for at most this long.',
      },
    },
  },
  HostingSiteLoadUnusual: {
    description:
      'Load of a site in its newest complete hour, as a multiple of its busiest hour around the same day last week.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    levels: {
      info: {
        value: 4,
        for: '90m',
        why: 'Each value stays for an hour, so this requires two unusual hours in a row.',
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
        for: '1h',
        why: 'Usually a table of logs or spam. The disk alerts fire when it becomes urgent.',
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
