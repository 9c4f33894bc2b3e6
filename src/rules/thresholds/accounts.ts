// All alerts about accounts are in one file, because it is a table: one entry for each alert, with the reason for each threshold.
import type { Thresholds } from '../thresholds.ts';

/** The defaults of the alerts about accounts: disk, billing, backups, load, inventory. */
export const accountThresholds = {
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
        why: 'Leaves time to clean up or to order a bigger plan. The alert ends below 82 %, because the size of caches and sessions varies.',
      },
      critical: {
        value: 0.95,
        until: 0.93,
        for: '15m',
        why: 'At the quota, mail bounces, and uploads and database writes fail. The alert pages only if the whole quota is used, less than `free` is left, the disk is full within `days`, or its growth is unknown.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      free: {
        value: 100_000_000,
        unit: 'bytes',
        why: 'Minimum free space. A single upload can fill a smaller space, even if the disk did not grow in the last days.',
      },
      days: {
        value: 3,
        unit: 'days',
        why: 'A disk that is full before the end of a long weekend justifies a page at any time of the day. The warning reports disks that have more days left.',
      },
      unknown: {
        value: 0.98,
        unit: 'ratio',
        why: 'The minimum usage for a page if the growth is unknown. The growth is unknown for an account with less than three days of history.',
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
        why: 'Two weeks are enough to order a bigger plan. Six hours are longer than any upload. Growth differs from day to day, so the alert ends only when three weeks are left.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      floor: {
        value: 0.6,
        unit: 'ratio',
        why: 'Minimum usage. Below this share of the quota, enough space is left even if the disk grows fast.',
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
        why: 'The disk is full before morning. A single jump of the usage does not fire the alert, because `for` is as long as the short window. Ends when the growth stops, or when at least 18 hours are left.',
      },
    },
    parameters: {
      floor: {
        value: 0.75,
        unit: 'ratio',
        why: 'Minimum usage. Below this share of the quota, enough space is left even if the disk grows fast.',
      },
      still: {
        value: '8m',
        unit: 'seconds',
        why: 'If the usage does not increase for this long, the growth has stopped and the alert ends. Must be longer than the interval of the account collector. If the interval of an account is longer than this value, the alert uses only the growth rates.',
      },
      short: {
        value: '30m',
        unit: 'seconds',
        why: 'The shorter of the two windows for the growth rate. At least 3 intervals of the account collector.',
      },
      long: {
        value: '3h',
        unit: 'seconds',
        why: 'The longer of the two windows for the growth rate. Longer than an upload, shorter than a night.',
      },
      memory: {
        value: '2d',
        unit: 'seconds',
        why: 'A nightly backup does not fire the alert, because the usage must be higher than at any time in this window.',
      },
    },
  },
  HostingAccountBlockedToday: {
    description: 'HostingAccountBlockedSoon is critical, and the suspension is due.',
    perAccount: false,
    levels: {
      critical: { for: '15m', why: 'The sites may be down by morning. A card payment prevents the suspension.' },
    },
    keepFiringFor: '1h',
    parameters: {
      days: { value: 1, unit: 'days', why: 'The alert fires if fewer whole days are left.' },
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
        why: 'A bank transfer may take some working days. The estimate changes by a day or two with the daily charge, and by weeks with a payment.',
      },
      critical: {
        value: 3,
        until: 5,
        for: '1h',
        why: 'At most two days are left, which may be a weekend. Afterwards, all sites and mail of the account are down. A payment ends the alert. A slightly better estimate does not end the alert.',
      },
    },
    keepFiringFor: '3h',
  },
  HostingDomainExpired: {
    description: 'Whole days until a domain expires. The value is below 0 after the last day.',
    unit: 'days',
    direction: 'below',
    perAccount: true,
    detail: 'domain',
    levels: {
      critical: {
        value: 0,
        until: 1,
        for: '15m',
        why: 'The sites and mail of the domain no longer work. Ends with a renewal, which adds a year.',
      },
      warning: {
        value: 0,
        until: 1,
        for: '15m',
        why: 'For domains that are registered elsewhere. The provider does not report whether such a domain is renewed.',
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
    detail: 'domain',
    levels: {
      warning: {
        value: 30,
        until: 32,
        for: '1h',
        why: 'Leaves time to ask the customer whether the domain is still needed. A renewal adds a year and ends the alert. A correction of the expiry date by two days does not end the alert.',
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
    detail: 'domain',
    levels: {
      warning: {
        value: 3,
        until: 5,
        for: '1h',
        why: 'If less than three days are left, automatic renewal has failed, usually because of insufficient funds. Ends with the renewal.',
      },
    },
    keepFiringFor: '1h',
  },
  HostingDomainRenewalFailed: {
    description: 'Whole days until a domain expires, if its newest renewal failed or has long been pending.',
    unit: 'days',
    detail: 'renewal',
    direction: 'below',
    perAccount: true,
    levels: {
      warning: {
        value: 60,
        until: 62,
        for: '1h',
        why: 'A renewal can be ordered some weeks before the expiry. If more time is left, the order belongs to an earlier year. Ends with the renewal, which adds a year, or with a new order.',
      },
    },
    keepFiringFor: '1h',
    parameters: {
      pending: {
        value: '3d',
        unit: 'seconds',
        why: 'Registries answer within minutes to a day. An order that is pending for longer waits for data, money or support.',
      },
    },
  },
  HostingBackupTooOld: {
    description: 'Age of the newest backup.',
    unit: 'days',
    direction: 'above',
    perAccount: true,
    detail: 'kind',
    levels: {
      warning: {
        value: 5,
        until: 4,
        for: '1h',
        why: 'Gaps of two or three days are normal, because providers delete some backups from the list. Ends with a new backup, which is less than a day old.',
      },
    },
    keepFiringFor: '3h',
  },
  HostingBackupMissing: {
    description:
      'Largest number of backups that the API listed within `memory`. The value is also 0 if the provider no longer reports the number of backups.',
    unit: 'count',
    direction: 'below',
    perAccount: true,
    detail: 'kind',
    levels: {
      warning: {
        value: 1,
        until: 1,
        for: '1h',
        why: 'No backup for two days. A new account gets its first backup within a night. Ends with the first backup. `until` equals the threshold, because the alert fires only after two days without a backup.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      memory: {
        value: '2d',
        unit: 'seconds',
        why: 'The alert fires if the account was monitored and had no backup during this time.',
      },
    },
  },
  HostingPlanLoadHigh: {
    description: 'Mean load of all sites together in the last month, as a share of the load that the plan allows.',
    unit: 'ratio',
    direction: 'above',
    maximum: 10,
    perAccount: true,
    levels: {
      warning: {
        value: 0.8,
        until: 0.75,
        for: '2h',
        why: 'Above the limit, the provider throttles the account or requires a bigger plan. The mean of a month changes slowly, so a decrease to 0.75 is a real improvement.',
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
    detail: 'kind',
    levels: {
      warning: {
        value: 0.5,
        until: 0.6,
        for: '90m',
        why: 'More than half of the objects are gone. A single wrong answer does not fire the alert, because `for` is longer than the interval of an hourly poll. Ends when some objects are back.',
      },
    },
    keepFiringFor: '3h',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'The comparison window. After an intended clean-up, the alert fires for at most this window plus `keep_firing_for`.',
      },
    },
  },
  HostingMailForwardingStarted: {
    description: 'Number of mailboxes of a domain that forward their mail, minus the number a day ago.',
    unit: 'count',
    direction: 'above',
    perAccount: true,
    detail: 'domain',
    levels: {
      info: {
        value: 1,
        for: '15m',
        why: 'One mailbox is enough, because unexpected forwarding is a common sign of a break-in. The severity is info, because the owner usually set up the forwarding.',
      },
    },
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'The comparison window, and the time for which the alert fires. Longer than several intervals of the collector mailboxes.',
      },
    },
  },
  HostingSiteLoadUnusual: {
    description:
      'Load of a site in its newest complete hour, as a multiple of its busiest hour around the same day last week. If the hourly load of that day is unknown, the load of its busiest hour is estimated as three times the mean of the day.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    detail: 'site',
    levels: {
      info: {
        value: 4,
        until: 3,
        for: '90m',
        why: 'The value changes once an hour, so 90 minutes require two unusual hours in a row. Ends when the load is clearly lower.',
      },
    },
    parameters: {
      floor: {
        value: 1,
        unit: 'load',
        why: "Minimum load in the provider's unit. Below this load, large multiples are common and harmless.",
      },
      age: {
        value: '4h',
        unit: 'seconds',
        why: 'Maximum age of the newest complete hour. The provider omits hours without load, so the newest hour may be old.',
      },
    },
  },
  HostingDatabaseGrewFast: {
    description: 'Size of a database, as a multiple of its highest size in a window that ends 24 hours ago.',
    unit: 'times',
    direction: 'above',
    perAccount: true,
    detail: 'database',
    levels: {
      info: {
        value: 1.5,
        until: 1.4,
        for: '1h',
        why: 'Usually a table of logs or spam grows. The disk alerts fire when the growth becomes urgent. Ends after a day, or when the table is cleared.',
      },
    },
    parameters: {
      memory: {
        value: '6h',
        unit: 'seconds',
        why: 'The comparison window. Longer than a restore that drops the database and imports it again.',
      },
      floor: { value: 100_000_000, unit: 'bytes', why: 'Minimum size. Small databases often double without harm.' },
    },
  },
} as const satisfies Readonly<Record<string, Thresholds>>;
