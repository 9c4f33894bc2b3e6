/** From the most to the least severe. `critical` pages someone. `warning` can wait until the next morning. `info` notifies no one. */
export const severities = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

/** The unit of a threshold. `intervals` are multiples of a collector's poll interval. */
export type Unit = 'ratio' | 'hours' | 'days' | 'times' | 'intervals' | 'count' | 'currency';

/** A default threshold and its reason. docs/configuration.md shows both. */
export interface Level {
  readonly value: number;
  readonly why: string;
}

/** The thresholds of one alert, which the configuration can change for all accounts or for one account. */
export interface Thresholds {
  /** The quantity that the alert compares with its threshold. */
  readonly description: string;
  readonly unit: Unit;
  /** `above`: the alert fires at the threshold and above it. `below`: the alert fires only below the threshold. */
  readonly direction: 'above' | 'below';
  /** The largest valid threshold. Default: 1 for a ratio, unlimited for other units. */
  readonly maximum?: number;
  readonly levels: Readonly<Partial<Record<Severity, Level>>>;
}

/**
 * The default thresholds. No other place repeats these numbers: alerts, pages, reports and dashboards read the effective thresholds of each
 * account, which the exporter exports. All other numbers of the alerts are in alerts/hosting.rules.yml.
 */
export const thresholds = {
  HostingPollFailing: {
    description:
      'Age of the newest successful poll, in intervals of the collector. Without a successful poll, the time since the collector first appeared.',
    unit: 'intervals',
    direction: 'above',
    levels: {
      warning: {
        value: 3,
        why: 'Results expire ten minutes after three intervals. The alert fires later than the alerts that name a cause.',
      },
    },
  },
  HostingDiskAlmostFull: {
    description: 'Share of the disk quota that is used.',
    unit: 'ratio',
    direction: 'above',
    levels: {
      critical: {
        value: 0.95,
        why: 'At the quota, mail bounces, and uploads and database writes fail. The alert pages if less than 100 MB are free, from 0.98 on if the growth of the disk is unknown, from 0.85 on if it is full within three days, and always at 1.',
      },
      warning: {
        value: 0.85,
        why: 'Leaves time to clean up or to order a bigger plan.',
      },
    },
  },
  HostingDiskFillingUp: {
    description: 'Days until the disk quota is used up, at the growth rate of the last days.',
    unit: 'days',
    direction: 'below',
    levels: {
      warning: {
        value: 14,
        why: 'Two weeks are enough to order a bigger plan.',
      },
    },
  },
  HostingDiskFillingUpFast: {
    description:
      'Hours until the disk quota is used up, at the slower of two growth rates: last half hour and last three hours.',
    unit: 'hours',
    direction: 'below',
    levels: {
      critical: {
        value: 12,
        why: 'The disk is full before morning.',
      },
    },
  },
  HostingAccountBlockedSoon: {
    description: 'Whole days until the provider suspends the account for insufficient funds, by its own estimate.',
    unit: 'days',
    direction: 'below',
    levels: {
      critical: {
        value: 3,
        why: 'At most two days are left, which may be a weekend. Afterwards, all sites and mail of the account are down.',
      },
      warning: {
        value: 7,
        why: 'A bank transfer may take some working days.',
      },
    },
  },
  HostingBalanceLow: {
    description:
      "Balance of the account, in the provider's currency. Does not count while HostingAccountBlockedSoon fires, which knows the day.",
    unit: 'currency',
    direction: 'below',
    levels: {
      critical: {
        value: 0,
        why: 'An account in debt can be suspended at any time. The provider does not estimate a day for every account.',
      },
    },
  },
  HostingDomainExpired: {
    description: 'Whole days until a domain expires. The value is below 0 after the last day.',
    unit: 'days',
    direction: 'below',
    levels: {
      critical: {
        value: 0,
        why: 'The sites and mail of the domain no longer work.',
      },
      warning: {
        value: 0,
        why: 'For domains that are registered elsewhere. The provider does not report whether such a domain is renewed.',
      },
    },
  },
  HostingDomainExpiring: {
    description: 'Whole days until a domain expires, for domains without automatic renewal.',
    unit: 'days',
    direction: 'below',
    levels: {
      critical: {
        value: 7,
        why: 'Renewal requires payment, sometimes documents, and may take days.',
      },
      warning: {
        value: 30,
        why: 'Leaves time to ask the customer whether the domain is still needed.',
      },
    },
  },
  HostingDomainRenewalOverdue: {
    description: 'Whole days until a domain expires, for domains with automatic renewal.',
    unit: 'days',
    direction: 'below',
    levels: {
      warning: {
        value: 3,
        why: 'If less than three days are left, automatic renewal has failed, usually because of insufficient funds.',
      },
    },
  },
  HostingDomainRenewalFailed: {
    description: 'Whole days until a domain expires, if its newest renewal failed or has long been pending.',
    unit: 'days',
    direction: 'below',
    levels: {
      warning: {
        value: 60,
        why: 'A renewal can be ordered some weeks before the expiry. If more time is left, the order belongs to an earlier year.',
      },
    },
  },
  HostingBackupTooOld: {
    description: 'Age of the newest backup.',
    unit: 'days',
    direction: 'above',
    levels: {
      warning: {
        value: 5,
        why: 'Gaps of two or three days are normal, because providers delete some backups from the list.',
      },
    },
  },
  HostingBackupMissing: {
    description:
      'Largest number of backups that the API listed within two days. The value is also 0 if the provider no longer reports the number of backups.',
    unit: 'count',
    direction: 'below',
    levels: {
      warning: {
        value: 1,
        why: 'No backup for two days. A new account gets its first backup within a night.',
      },
    },
  },
  HostingPlanLoadHigh: {
    description: 'Mean load of all sites together in the last month, as a share of the load that the plan allows.',
    unit: 'ratio',
    direction: 'above',
    maximum: 10,
    levels: {
      warning: {
        value: 0.8,
        why: 'Above the limit, the provider throttles the account or requires a bigger plan.',
      },
    },
  },
  HostingPlanOverloaded: {
    description:
      'Mean load of all sites together in the three days that ended last, as a share of the load that the plan allows.',
    unit: 'ratio',
    direction: 'above',
    maximum: 10,
    levels: {
      warning: {
        value: 1,
        why: 'Providers act after three to five days above the limit. The mean of the last month notices such days only after weeks.',
      },
    },
  },
  HostingInventoryCollapsed: {
    description:
      'Number of sites, domains, databases or enabled cron tasks, as a share of the highest number within the last day.',
    unit: 'ratio',
    direction: 'below',
    levels: {
      warning: {
        value: 0.5,
        why: 'More than half of the objects are gone.',
      },
    },
  },
  HostingMailForwardingStarted: {
    description: 'Number of mailboxes of a domain that forward their mail, minus the number a day ago.',
    unit: 'count',
    direction: 'above',
    levels: {
      info: {
        value: 1,
        why: 'One mailbox is enough, because unexpected forwarding is a common sign of a break-in. The severity is info, because the owner usually set up the forwarding.',
      },
    },
  },
  HostingHttpsOff: {
    description: 'Number of domains of sites whose HTTPS is off.',
    unit: 'count',
    direction: 'above',
    levels: {
      info: {
        value: 1,
        why: 'Browsers warn of every page of such a domain. The severity is info, because many accounts have names that nobody visits, such as technical names and old aliases.',
      },
    },
  },
  HostingSiteLoadUnusual: {
    description:
      'Load of a site in its newest complete hour, as a multiple of its busiest hour around the same day last week. If the hourly load of that day is unknown, the load of its busiest hour is estimated as three times the mean of the day.',
    unit: 'times',
    direction: 'above',
    levels: {
      info: {
        value: 4,
        why: 'Two hours in a row with four times the usual load are rare without bots, an attack or a campaign.',
      },
    },
  },
  HostingDatabaseGrewFast: {
    description: 'Size of a database, as a multiple of its highest size in a window that ends 24 hours ago.',
    unit: 'times',
    direction: 'above',
    levels: {
      info: {
        value: 1.5,
        why: 'Usually a table of logs or spam grows. The disk alerts fire when the growth becomes urgent.',
      },
    },
  },
} as const satisfies Readonly<Record<string, Thresholds>>;

/** The name of an alert that has a threshold. */
export type ThresholdAlert = keyof typeof thresholds;

/** The thresholds and the name of an alert. `maximum` is infinite if any number is valid. */
export interface AlertThresholds extends Thresholds {
  readonly alert: ThresholdAlert;
  readonly maximum: number;
}

/** All alerts with thresholds, in the order in which a person should handle them. */
export const alertThresholds = (Object.keys(thresholds) as ThresholdAlert[]).map((alert): AlertThresholds => {
  const definition: Thresholds = thresholds[alert];
  const maximum = definition.maximum ?? (definition.unit === 'ratio' ? 1 : Number.POSITIVE_INFINITY);
  return { ...definition, alert, maximum };
});
