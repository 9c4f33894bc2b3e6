import type { Thresholds } from '../thresholds.ts';

/** The defaults of the alerts about monitoring itself: the exporter, the provider, the collectors. */
export const monitoringThresholds = {
  HostingExporterDown: {
    description: 'Prometheus cannot scrape the exporter.',
    perAccount: false,
    levels: {
      critical: {
        for: '5m',
        why: 'At least one account is not monitored. Five minutes are enough to restart or move an exporter.',
      },
      warning: {
        for: '15m',
        why: 'Other exporters still report all accounts of the exporter, but redundancy is lost.',
      },
    },
    // Longer than the pauses between crashes in Kubernetes or between network failures. Otherwise, each crash or failure would page again.
    keepFiringFor: '30m',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'How long the accounts of an exporter are remembered after the exporter went down.',
      },
    },
  },
  HostingExporterAbsent: {
    description: 'Prometheus has no target for the job.',
    perAccount: false,
    levels: {
      critical: { for: '15m', why: 'After a restart, Prometheus needs less time to discover its targets.' },
    },
  },
  HostingExporterRestarting: {
    description: 'Restarts of an exporter within the window.',
    unit: 'count',
    direction: 'above',
    perAccount: false,
    levels: {
      warning: {
        value: 3,
        until: 1,
        for: '2m',
        why: 'Three restarts are a crash loop, because a release restarts an exporter only once. Ends after an hour without a restart.',
      },
    },
    parameters: {
      window: {
        value: '1h',
        unit: 'seconds',
        why: 'The window covers four restarts by a supervisor that waits up to 15 minutes before each restart.',
      },
    },
  },
  HostingScrapedTooRarely: {
    description: 'Prometheus scrapes the exporter less often than every five minutes.',
    perAccount: false,
    levels: {
      warning: {
        for: '2h',
        why: 'Samples are valid for five minutes, so alerts end between two scrapes. After a pause, Prometheus has a full hour of samples before `for` ends.',
      },
    },
    parameters: {
      samples: { value: 9, unit: 'count', why: 'The alert fires below this number of scrapes in an hour.' },
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
        why: 'Simultaneous failures have one cause. Two of three accounts reach the threshold. One of two does not. Accounts recover one after another, so the alert ends only when less than 0.3 of the accounts get no answer.',
      },
    },
    keepFiringFor: '30m',
    parameters: {
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'Minimum number of accounts. With fewer accounts, HostingAccountUnreachable reports the failure.',
      },
    },
  },
  HostingExporterCannotPoll: {
    description:
      'Share of the accounts of one exporter whose newest poll failed, while other exporters of the job poll theirs.',
    perAccount: false,
    levels: {
      critical: {
        for: '10m',
        why: 'The API does not answer for these accounts, and no other exporter polls them: the network of this exporter is broken.',
      },
      warning: {
        for: '30m',
        why: 'Another exporter polls these accounts, so only redundancy is lost. `for` is longer than the start of an exporter.',
      },
    },
    keepFiringFor: '30m',
    parameters: {
      share: { value: 0.6, unit: 'ratio', why: 'The same share as for HostingProviderUnreachable.' },
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'Minimum number of accounts of the exporter. With fewer accounts, HostingAccountUnreachable reports the failure.',
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
        why: '`for` is longer than a restart of the API. Fires later than HostingProviderUnreachable and earlier than HostingPollFailing.',
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
        why: 'Many customers do not change their passwords at the same time. The cause is the provider, the address of the exporter, or its secrets. Ends when less than 0.2 of the accounts are rejected. HostingCredentialsRejected reports these accounts.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      accounts: {
        value: 2,
        unit: 'accounts',
        why: 'Minimum number of accounts. With fewer accounts, HostingCredentialsRejected reports the rejection.',
      },
    },
  },
  HostingCredentialsRejected: {
    description: 'The API rejected the credentials of the account in its newest poll.',
    perAccount: false,
    levels: {
      warning: {
        for: '10m',
        why: '`for` is two intervals of the account collector, so a single rejection does not fire the alert.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingPollFailing: {
    description:
      'Age of the newest successful poll, in intervals of the collector. Without a successful poll, the time since the collector first appeared.',
    unit: 'intervals',
    direction: 'above',
    perAccount: true,
    detail: 'collector',
    levels: {
      warning: {
        value: 3,
        until: 2,
        for: '9m',
        why: 'Results expire ten minutes after three intervals. The alert fires just before results expire, and later than the alerts that name a cause. Ends when the newest successful poll is less than two intervals old.',
      },
    },
    // Longer than the pauses between rare successful polls. Otherwise, each successful poll would end the alert.
    keepFiringFor: '3h',
    parameters: {
      memory: {
        value: '1h',
        unit: 'seconds',
        why: 'How long the time of the last successful poll is remembered while an exporter is down. This detects an exporter in a restart loop.',
      },
    },
  },
  HostingAccountMissing: {
    description: 'An account that was configured within the last day is gone, although all exporters answer.',
    perAccount: false,
    levels: {
      warning: {
        for: '20m',
        why: 'An account counts as gone five minutes after its last report. The alert fires after 25 minutes in total, which is longer than a rollout that moves accounts between exporters.',
      },
    },
    keepFiringFor: '15m',
    parameters: {
      memory: {
        value: '1d',
        unit: 'seconds',
        why: 'How long a missing account is remembered. The alert then resolves automatically. The other alerts of the account also use its last known figures for a day.',
      },
    },
  },
  HostingConfigReloadFailed: {
    description:
      'The newest reload of the configuration or of the web configuration file failed, and the exporter keeps the previous configuration.',
    perAccount: false,
    levels: {
      warning: { for: '15m', why: 'Leaves time to correct an edit in progress.' },
    },
  },
  HostingStateNotSaved: {
    description: 'Attempts to save figures in the state directory fail.',
    perAccount: false,
    levels: {
      warning: {
        for: '1h',
        why: 'Nothing is lost before the next restart. If the disk of the host is full, your alerts about the host report it.',
      },
    },
    parameters: {
      window: {
        value: '2h',
        unit: 'seconds',
        why: 'The window for the share of successful attempts. The alert also reports failures that alternate with successful attempts.',
      },
      share: {
        value: 0.75,
        unit: 'ratio',
        why: 'The alert fires below this share. A single failed attempt does not fire the alert.',
      },
    },
  },
  HostingShardsDisagree: {
    description: 'Exporters of the job run with different numbers of shards.',
    perAccount: false,
    levels: {
      warning: {
        for: '15m',
        why: 'After a change of the number, rules remember the stopped exporters for ten minutes.',
      },
    },
  },
  HostingClocksDisagree: {
    description: 'Times of the exporter or the provider differ from the clock of Prometheus.',
    perAccount: false,
    levels: {
      warning: { for: '30m', why: 'The correction of a clock takes some minutes.' },
    },
    keepFiringFor: '3h',
    parameters: {
      minutes: {
        value: 10,
        unit: 'count',
        why: 'Difference in minutes. Choose at least two intervals of the collector `account`, and at least one scrape interval.',
      },
    },
  },
  HostingSeriesDropped: {
    description: 'Series that a collector dropped from its newest results because of max_series.',
    perAccount: false,
    levels: {
      warning: {
        for: '15m',
        why: 'Some sites or databases are not monitored until someone acts.',
      },
    },
    keepFiringFor: '15m',
  },
  HostingApiLimitHit: {
    description: 'API calls that the provider refused because its limit per minute was reached.',
    perAccount: false,
    levels: {
      info: {
        for: '30m',
        why: 'A single busy minute does not fire the alert. The alert fires if the provider refuses more calls while the first refusal counts.',
      },
    },
    parameters: {
      window: {
        value: '30m',
        unit: 'seconds',
        why: 'How long a refusal counts. This time must cover the gap between two polls.',
      },
    },
  },
  HostingApiBudgetExhausted: {
    description: 'API calls that waited for the budget of the account (requests_per_minute) during the whole window.',
    perAccount: false,
    levels: {
      info: {
        for: '30m',
        why: 'If the queue is never empty for an hour, the account needs more calls than its budget allows, and polls are late.',
      },
    },
    parameters: {
      window: { value: '30m', unit: 'seconds', why: 'The alert fires if the queue is never empty in this window.' },
    },
  },
  HostingPermissionMissing: {
    description: 'A collector fails because its API method is not permitted.',
    perAccount: false,
    levels: {
      warning: {
        for: '15m',
        why: 'For a lost permission, and for the account collector. Alerts about the missing data can no longer fire.',
      },
      info: {
        for: '15m',
        why: 'For a permission that was never given. This is usually intended, so no one is notified.',
      },
    },
  },
} as const satisfies Readonly<Record<string, Thresholds>>;
