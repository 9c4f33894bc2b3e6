/** How loud an alert is: critical wakes somebody, warning waits for the morning, info is for whoever is already looking. */
export const severities = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

/** What a threshold or a figure is counted in. */
export type Unit =
  | 'ratio'
  | 'bytes'
  | 'seconds'
  | 'hours'
  | 'days'
  | 'times'
  | 'turns'
  | 'count'
  | 'accounts'
  | 'load'
  | 'money';

/** One severity of an alert: from which value on, and for how long before it fires. */
export interface Level {
  /** The threshold, in the alert's unit; absent where the alert compares nothing. */
  readonly value?: number;
  /** Prometheus duration for which the condition must hold. */
  readonly for: string;
  readonly why: string;
}

/** A further figure inside an alert's condition: a floor, a window, a minimum. A string is a Prometheus duration. */
export interface Knob {
  readonly value: number | string;
  readonly unit: Unit;
  readonly why: string;
}

/** Everything about an alert that somebody may want otherwise, with its default and the reason for it. */
export interface Thresholds {
  /** What is compared, as the reader of the settings file needs it. */
  readonly means: string;
  readonly unit?: Unit;
  /** `above` fires at the value and over it, `below` fires under it: as a Grafana panel paints its steps. */
  readonly direction?: 'above' | 'below';
  /** The largest value that makes sense, where it isn't 1 for a ratio and none for anything else. */
  readonly most?: number;
  /** True where an account's own configuration may override the value. */
  readonly perAccount: boolean;
  readonly levels: Readonly<Partial<Record<Severity, Level>>>;
  readonly keepFiringFor?: string;
  readonly knobs?: Readonly<Record<string, Knob>>;
}

/** Every alert's defaults, in the order in which one triages: is it watched, can it be reached, is it full, what comes. */
export const thresholds = {
  HostingExporterDown: {
    means: 'The exporter does not answer Prometheus.',
    perAccount: false,
    levels: {
      critical: { for: '5m', why: 'Some account is watched by nobody. Five minutes let an exporter restart or move.' },
      warning: { for: '15m', why: 'Another exporter still watches every account of this one: a spare is lost.' },
    },
    knobs: {
      memory: { value: '1d', unit: 'seconds', why: 'How long it is known which accounts the lost exporter watched.' },
    },
  },
  HostingExporterAbsent: {
    means: 'Prometheus knows no exporter at all.',
    perAccount: false,
    levels: {
      critical: { for: '15m', why: 'Longer than a restart of Prometheus needs to find its targets again.' },
    },
  },
  HostingProviderUnreachable: {
    means: 'Share of the accounts that get no answer, rejected credentials not counted.',
    unit: 'ratio',
    direction: 'above',
    perAccount: false,
    levels: {
      critical: {
        value: 0.6,
        for: '10m',
        why: 'Most accounts at once have one cause. Two of three is most, one of two is not. Must fire before HostingPollFailing can.',
      },
    },
    // Longer than HostingPollFailing, which it mutes: or that one would be told of when all is well again.
    keepFiringFor: '15m',
    knobs: {
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'With fewer accounts "most" says nothing; HostingPollFailing tells.',
      },
    },
  },
  HostingCredentialsRejected: {
    means: 'The newest poll of the account failed, and the API rejected its credentials lately.',
    perAccount: false,
    levels: {
      warning: { for: '10m', why: 'Two turns of the account collector: one stray rejection is not reported.' },
    },
    keepFiringFor: '10m',
    knobs: {
      window: {
        value: '1h',
        unit: 'seconds',
        why: 'Must be longer than the interval of the account collector, which alone tries again after a rejection.',
      },
    },
  },
  HostingPollFailing: {
    means: 'Age of the newest good poll, in turns of that collector; counted from its first sight while there is none.',
    unit: 'turns',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: {
        value: 3,
        for: '9m',
        why: 'Figures are dropped after three turns and ten minutes; the alert comes just before that, and after the one that names the cause.',
      },
    },
    keepFiringFor: '5m',
    knobs: {
      memory: {
        value: '1h',
        unit: 'seconds',
        why: 'How long the last good poll is remembered while an exporter is away: one that restarts again and again is noticed.',
      },
    },
  },
  HostingAccountMissing: {
    means: 'The account was configured within the last day and is gone, though every exporter answers.',
    perAccount: false,
    levels: {
      warning: { for: '30m', why: 'Longer than a rollout that moves accounts from one exporter to another.' },
    },
    keepFiringFor: '15m',
    knobs: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'How long a missing account is remembered; then the alert ends by itself.',
      },
    },
  },
  HostingConfigReloadFailed: {
    means: 'The exporter could not read its changed configuration and runs with the old one.',
    perAccount: false,
    levels: {
      warning: { for: '15m', why: 'Time to notice and mend an edit in progress.' },
    },
  },
  HostingSeriesDropped: {
    means: 'Series that a collector left out of its newest snapshot because of max_series.',
    perAccount: false,
    levels: {
      warning: { for: '15m', why: 'Sites or databases are not watched; this does not heal by itself.' },
    },
    keepFiringFor: '15m',
  },
  HostingApiLimitHit: {
    means: 'The provider refuses calls because its limit per minute is used up.',
    perAccount: false,
    levels: {
      info: { for: '30m', why: 'Together with the window an hour of refusals: one busy minute is not reported.' },
    },
    knobs: {
      window: {
        value: '30m',
        unit: 'seconds',
        why: 'A refusal counts for so long; must cover the gap between two polls.',
      },
    },
  },
  HostingApiBudgetExhausted: {
    means: 'Calls waiting for the budget of the account (requests_per_minute) all the time.',
    perAccount: false,
    levels: {
      info: { for: '30m', why: 'A queue that does not empty within an hour never will: polls come late.' },
    },
    knobs: {
      window: { value: '30m', unit: 'seconds', why: 'The queue must not have been empty once in this time.' },
    },
  },
  HostingPermissionMissing: {
    means: 'A collector fails because the API user may not call its method.',
    perAccount: false,
    levels: {
      info: { for: '15m', why: 'Often on purpose; nothing breaks, so nobody is disturbed.' },
    },
  },
  HostingDiskAlmostFull: {
    means: 'Share of the disk quota that is used.',
    unit: 'ratio',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: { value: 0.85, for: '30m', why: 'Time to clean up or to order a bigger plan without haste.' },
      critical: { value: 0.95, for: '15m', why: 'At the quota mail bounces and uploads and database writes fail.' },
    },
    keepFiringFor: '15m',
  },
  HostingDiskFillingUp: {
    means: 'Days until the disk quota is used up, at the pace of the last days.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 14,
        for: '6h',
        why: 'Two weeks are enough to order a bigger plan; six hours outlast any upload.',
      },
    },
    keepFiringFor: '15m',
    knobs: {
      floor: { value: 0.6, unit: 'ratio', why: 'An emptier account has time, whatever the forecast says.' },
    },
  },
  HostingDiskFillingUpFast: {
    means: 'Hours until the disk quota is used up, at the pace of both the last three hours and the last half hour.',
    unit: 'hours',
    direction: 'below',
    perAccount: true,
    levels: {
      critical: {
        value: 12,
        for: '30m',
        why: 'It will not last the night. As long as the short window: one step has left it.',
      },
    },
    keepFiringFor: '15m',
    knobs: {
      floor: { value: 0.75, unit: 'ratio', why: 'An emptier account has time, whatever the forecast says.' },
      short: {
        value: '30m',
        unit: 'seconds',
        why: 'Ends the alert when the growth ends. At least 3 turns of the account collector.',
      },
      long: { value: '3h', unit: 'seconds', why: 'Bigger than an upload; shorter than the night.' },
      memory: {
        value: '2d',
        unit: 'seconds',
        why: 'Usage must be higher than ever in this time: a nightly backup is not.',
      },
    },
  },
  HostingAccountBlockedSoon: {
    means: 'Whole days until the provider blocks the account for lack of money, as it says itself.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: { value: 7, for: '1h', why: 'A transfer of money may take some working days.' },
      critical: {
        value: 3,
        for: '1h',
        why: 'Two days or less: a weekend. Then the account goes down with all its sites and mail.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingDomainExpired: {
    means: 'Whole days until the registration of a domain ends, where it has ended already.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      critical: { value: 0, for: '15m', why: 'The sites and the mail of the domain are gone for visitors.' },
    },
    keepFiringFor: '15m',
    knobs: {
      forget: {
        value: 30,
        unit: 'days',
        why: 'After a month nobody wants it back; the provider lists dead domains for long.',
      },
    },
  },
  HostingDomainExpiring: {
    means: 'Whole days until the registration of a domain ends that is not renewed automatically.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: { value: 30, for: '1h', why: 'Time to ask the customer whether the domain is still wanted.' },
      critical: { value: 7, for: '1h', why: 'Renewal takes money, papers and sometimes days.' },
    },
    keepFiringFor: '15m',
  },
  HostingDomainRenewalOverdue: {
    means: 'Whole days until the registration of a domain ends that should have been renewed automatically by now.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 3,
        for: '1h',
        why: 'Automatic renewal runs earlier; so late it has failed, mostly for lack of money.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingBackupTooOld: {
    means: 'Age of the newest backup in days.',
    unit: 'days',
    direction: 'above',
    perAccount: true,
    levels: {
      warning: { value: 5, for: '1h', why: 'Providers thin the list out: gaps of two and three days are ordinary.' },
    },
    keepFiringFor: '15m',
  },
  HostingBackupMissing: {
    means: 'Backups that the account had at the best moment of the last days.',
    unit: 'count',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 1,
        for: '1h',
        why: 'Not one backup for three days: a new account gets its first within a night.',
      },
    },
    keepFiringFor: '15m',
    knobs: {
      memory: {
        value: '3d',
        unit: 'seconds',
        why: 'So long the account must have been watched, and so long without a backup.',
      },
    },
  },
  HostingPlanLoadHigh: {
    means: 'Load of all sites together (mean of the last month) as a share of what the plan allows.',
    unit: 'ratio',
    direction: 'above',
    most: 10,
    perAccount: true,
    levels: {
      warning: {
        value: 0.8,
        for: '2h',
        why: 'Over the plan the provider slows the account down or asks for a bigger plan.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingInventoryCollapsed: {
    means: 'Sites, domains, databases or enabled cron tasks now, as a share of the highest count of the last day.',
    unit: 'ratio',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 0.5,
        for: '90m',
        why: 'More than half are gone. Longer than one hourly poll: one odd answer is not reported.',
      },
    },
    keepFiringFor: '15m',
    knobs: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'What is compared with; a wanted clean-up is reported for so long at most.',
      },
    },
  },
  HostingSiteLoadUnusual: {
    means: 'Load of a site in its newest complete hour, in multiples of its busiest hour around this day last week.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    levels: {
      info: {
        value: 4,
        for: '90m',
        why: 'A figure stays for an hour: longer than that means two unusual hours in a row.',
      },
    },
    knobs: {
      floor: {
        value: 1,
        unit: 'load',
        why: "In the provider's units per hour; quieter sites multiply easily and harm nobody.",
      },
      age: {
        value: '4h',
        unit: 'seconds',
        why: 'Older hours are no news: the provider leaves out hours without load.',
      },
    },
  },
  HostingDatabaseGrewFast: {
    means: 'Size of a database, in multiples of its highest size of the hours before this time yesterday.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    levels: {
      info: {
        value: 1.5,
        for: '1h',
        why: 'A log or spam table that runs away; the disk alerts tell when it becomes urgent.',
      },
    },
    knobs: {
      memory: {
        value: '6h',
        unit: 'seconds',
        why: 'Longer than a restore that drops the database and fills it again.',
      },
      floor: { value: 100_000_000, unit: 'bytes', why: 'Small databases double easily and harm nobody.' },
    },
  },
} as const satisfies Readonly<Record<string, Thresholds>>;

export type AlertName = keyof typeof thresholds;

/** All alerts, in the order of triage. */
export const alertNames = Object.keys(thresholds) as AlertName[];

/** An alert whose value an account's own configuration may replace, published as `hosting_account_alert_threshold`. */
export interface OverridableAlert {
  readonly alert: AlertName;
  readonly means: string;
  readonly unit: Unit;
  /** `off` is published as +Inf for `above` and as -Inf for `below`: the value that is never passed. */
  readonly direction: 'above' | 'below';
  /** The largest value that makes sense; infinite where any does. */
  readonly most: number;
  readonly defaults: Readonly<Partial<Record<Severity, number>>>;
}

/** What the exporter's configuration accepts under `alerts` of an account. */
export const overridableAlerts: readonly OverridableAlert[] = alertNames.flatMap((alert) => {
  const { means, unit, direction, most, perAccount, levels }: Thresholds = thresholds[alert];
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
  const largest = most ?? (unit === 'ratio' ? 1 : Number.POSITIVE_INFINITY);
  return [{ alert, means, unit, direction, most: largest, defaults }];
});
