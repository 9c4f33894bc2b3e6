import { facts } from '../facts.ts';
import { label, queryLabels, queryValue, type TemplatePart, text, value, when } from '../template.ts';
import type { AlertTexts } from '../texts.ts';

const account = label('account');

function age(query: (typeof facts)['accountAge'], ...by: string[]): TemplatePart {
  return queryValue(' The figures are ', query, 'duration', ' old: newer ones could not be polled.', [
    'account',
    ...by,
  ]);
}

const accountAge = age(facts.accountAge);

const diskFigures: readonly TemplatePart[] = [
  queryValue('; ', facts.diskFree, 'bytes', ' are free'),
  queryValue('; that is ', facts.diskExcess, 'bytes', ' more than the plan allows'),
  queryValue('; the quota was ', facts.formerDiskLimit, 'bytes', ' within the last week and is smaller now'),
];

const daysLeft = when(0.5, ['today'], [when(1.5, ['in 1 day'], ['in ', value('whole'), ' days'])]);

/** The texts of the alerts in English. */
export const english: AlertTexts = {
  HostingExporterDown: {
    summary: 'Hosting exporter is down.',
    description: (severity) => [
      ...text`Prometheus cannot scrape exporter ${label('instance')} of job ${label('job')}`,
      severity === 'critical'
        ? '. At least one of its accounts is not monitored: alerts that fire now keep their last known figures for a day.'
        : '. Unless the critical alert fires as well, another exporter still monitors its accounts.',
    ],
  },
  HostingExporterAbsent: {
    summary: 'Prometheus has no target for the hosting exporter.',
    description: text`
      Prometheus has no target for job ${label('job')}: it was removed from the configuration or is no longer
      discovered. No account is monitored.`,
  },
  HostingExporterRestarting: {
    summary: 'Hosting exporter restarts again and again.',
    description: text`
      Exporter ${label('instance')} of job ${label('job')} restarted
      ${when(1.5, ['once'], [value('whole'), ' times'])} within an hour. While it restarts, accounts are polled late
      or not at all. Its log ends with the reason; an exit for lack of memory is only in the log of the system.`,
  },
  HostingProviderUnreachable: {
    summary: 'Hosting provider does not answer for most accounts.',
    description: text`
      The API does not answer for ${value('percent')} of the accounts of job ${label('job')}${[
        queryLabels('; reasons of the failures: ', facts.failureReasons, 'reason', []),
      ]}. It is down, or the exporter cannot reach it. Alerts about these accounts keep their last known figures for a
      day.`,
  },
  HostingAccountUnreachable: {
    summary: 'Hosting provider does not answer for an account.',
    description: text`
      The API does not answer for account ${account}${[
        queryLabels('; reasons of the failures: ', facts.failureReasons, 'reason', ['account']),
        queryValue('; last successful poll ', facts.accountAge, 'duration', ' ago'),
      ]}. Other accounts are not affected, or there are none. Alerts about this account keep their last known figures
      for a day.`,
  },
  HostingMostLoginsRejected: {
    summary: 'Hosting provider rejects the credentials of most accounts.',
    description: text`
      The API rejects the login or password of ${value('percent')} of the accounts of job ${label('job')}${[
        queryValue(': ', facts.rejectedAccounts, 'whole', '', []),
        queryValue(' of ', facts.allAccounts, 'whole', '', []),
      ]}. The passwords did not all change at the same time: look for a block of the exporter at the provider, a
      changed address of the exporter, or secrets that are not mounted.`,
  },
  HostingCredentialsRejected: {
    summary: 'Hosting provider rejects the credentials of an account.',
    description: text`
      The API rejects the login or password of account ${account}. Its data is no longer updated. Retrying does not
      help: correct the credentials.`,
  },
  HostingPollFailing: {
    summary: 'Data of a hosting account is stale.',
    description: text`
      Collector ${label('collector')} of account ${account} has had no successful poll for ${value('duration')}${[
        queryValue('; its interval is ', facts.collectorInterval, 'duration', '', ['account', 'collector']),
        queryLabels('. Its newest poll failed with reason ', facts.failureReasons, 'reason', ['account', 'collector']),
      ]}. By default, the data expires ten minutes after three intervals; alerts based on it keep their last known
      figures for a day.`,
  },
  HostingAccountMissing: {
    summary: 'Hosting account is no longer monitored.',
    description: text`
      Account ${account} was configured within the last day, but is no longer reported although all exporters of job
      ${label('job')} are up. No new alert about this account can fire. If you removed it on purpose, ignore this: the
      alert ends automatically a day after the last report. To end it now: amtool silence add
      alertname=HostingAccountMissing account=${account} --duration=1d --comment=removed`,
  },
  HostingConfigReloadFailed: {
    summary: 'Hosting exporter failed to reload its configuration.',
    description: text`
      Exporter ${label('instance')} of job ${label('job')} keeps its previous configuration because the new one has an
      error. The log names the file, line and key. The exporter does not start with this configuration.`,
  },
  HostingStateNotSaved: {
    summary: 'Hosting exporter cannot save its figures.',
    description: text`
      Exporter ${label('instance')} of job ${label('job')} cannot write to its state directory. Polling continues, but
      after a restart, figures are missing until the accounts were polled again. The log says why, such as a full disk
      or a missing permission.`,
  },
  HostingSeriesDropped: {
    summary: 'Hosting exporter drops series because of max_series.',
    description: text`
      Collector ${label('collector')} of account ${account} dropped ${value('whole')} series because of max_series.
      Some sites, databases or domains are not monitored. Raise max_series, or disable the collector.`,
  },
  HostingApiLimitHit: {
    summary: 'Hosting provider refuses API calls because of its limit.',
    description: text`
      The API refused ${when(1.5, ['a call'], [value('whole'), ' calls'])} of account ${account} because of its limit
      per minute${[
        queryValue(', although the exporter sends at most ', facts.requestBudget, 'whole', ' per minute'),
      ]}. Another client probably uses the same login, such as a second exporter or a script.`,
  },
  HostingApiBudgetExhausted: {
    summary: 'Hosting exporter needs more API calls than its budget allows.',
    description: text`
      At least ${when(1.5, ['one call'], [value('whole'), ' calls'])} of account ${account} waited in the queue at any
      time of the last half hour${[
        queryValue('; the budget is ', facts.requestBudget, 'whole', ' calls per minute'),
      ]}. Polls are late. Increase requests_per_minute, or poll the fan-out collectors less often.`,
  },
  HostingPermissionMissing: {
    summary: 'Hosting account does not permit an API method.',
    description: (severity) => [
      ...text`Collector ${label('collector')} of account ${account} fails because its API method is not permitted. `,
      severity === 'info'
        ? "Tick the section in the provider's control panel, or disable the collector."
        : "Disk space and money of this account are not monitored; alerts about them keep their last known figures for a day. Tick the section in the provider's control panel.",
    ],
  },
  HostingDiskAlmostFull: {
    summary: 'Hosting account is almost out of disk space.',
    description: text`
      Account ${account} uses ${value('percent')} of its disk quota${[
        ...diskFigures,
        queryValue('; full in about ', facts.diskDaysToFull, 'whole', ' days at the growth rate of the last days'),
        queryValue('; full in about ', facts.diskSecondsToFull, 'duration', ' at the growth rate of the last days'),
        queryValue('; its growth is not known yet', facts.diskGrowthUnknown, undefined),
      ]}. At the quota, mail bounces, and uploads and database writes fail.${accountAge}`,
  },
  HostingDiskFillingUp: {
    summary: 'Hosting account runs out of disk space within weeks.',
    description: text`
      Account ${account} reaches its disk quota in
      ${when(1, ['less than a day'], ['about ', when(1.5, ['1 day'], [value('whole'), ' days'])])} at the growth rate
      of the last days${[queryValue('; ', facts.diskUsed, 'percent', ' is used'), ...diskFigures]}.${accountAge}`,
  },
  HostingDiskFillingUpFast: {
    summary: 'Hosting account runs out of disk space within hours.',
    description: text`
      Account ${account} reaches its disk quota in about ${value('duration')} at the current growth rate${[
        queryValue('; ', facts.diskUsed, 'percent', ' is used'),
        ...diskFigures,
      ]}. Find and stop what keeps writing: often a debug log, a backup into the home directory or an upload
      loop.${accountAge}`,
  },
  HostingAccountBlockedSoon: {
    summary: 'Hosting account is about to be suspended for insufficient funds.',
    description: text`
      By its own estimate, the provider suspends account ${account} ${daysLeft} for insufficient funds${[
        queryValue('; balance: ', facts.balance, 'number'),
        queryValue('; daily charge: ', facts.dailyCharge, 'number'),
      ]}. All its sites and mail then go down.${accountAge}`,
  },
  HostingDomainExpired: {
    summary: 'Hosted domain has expired.',
    description: text`
      Domain ${label('domain')} of account ${account} has expired. Its sites and mail do not work. Renew it now: for
      some weeks that is still possible, often at a higher price.${age(facts.domainsAge)}`,
  },
  HostingDomainExpiring: {
    summary: 'Hosted domain expires soon without automatic renewal.',
    description: text`
      Domain ${label('domain')} of account ${account} expires ${daysLeft}, and automatic renewal is off or unknown.
      When it expires, its sites and mail stop working.${age(facts.domainsAge)}`,
  },
  HostingDomainRenewalOverdue: {
    summary: 'Automatic renewal of a hosted domain is overdue.',
    description: text`
      Domain ${label('domain')} of account ${account} expires ${daysLeft} although automatic renewal is
      on${queryValue('; account balance: ', facts.balance, 'number')}. The renewal has probably
      failed.${age(facts.domainsAge)}`,
  },
  HostingBackupTooOld: {
    summary: 'Newest backup of a hosting account is too old.',
    description: text`
      The newest backup of the ${label('kind')} of account ${account} is ${value('tenths')} days old. Later changes
      cannot be restored from the provider.${age(facts.backupsAge)}`,
  },
  HostingBackupMissing: {
    summary: 'Hosting account has no backup.',
    description: text`
      The provider has listed no backup of the ${label('kind')} of account ${account} for days. Data lost now cannot
      be restored from the provider.`,
  },
  HostingPlanLoadHigh: {
    summary: 'Hosting account is close to the load limit of its plan.',
    description: text`
      The sites of account ${account} use ${value('percent')} of the load that the plan allows (mean of the last
      month)${[
        queryValue('; load: ', facts.planLoad, 'number'),
        queryValue(' of ', facts.planLoadLimit, 'number'),
      ]}. Above the limit the provider throttles the account or asks for a bigger plan.${age(facts.siteLoadAge)}`,
  },
  HostingInventoryCollapsed: {
    summary: 'Hosting account lost most of its sites, domains, databases or cron tasks.',
    description: text`
      Account ${account} lost most of its ${label('kind')}${[
        queryValue(': ', facts.inventory, 'whole', ' now', ['account', 'kind']),
        queryValue(', ', facts.formerInventory, 'whole', ' within the last day', ['account', 'kind']),
      ]}. They were deleted, disabled, or are no longer listed by the provider.`,
  },
  HostingMailForwardingStarted: {
    summary: 'Mailbox of a hosting account started to forward its mail.',
    description: text`
      Domain ${label('domain')} of account ${account} has ${value('whole')} more forwarding mailboxes than at some
      time within the last day. If no one set this up, an intruder may read the mail.`,
  },
  HostingSiteLoadUnusual: {
    summary: 'Hosted site has an unusually high load.',
    description: text`
      Site ${label('site')} of account ${account} has ${value('tenths')} times the load of its busiest hour around the
      same day last week, for at least two hours in a row. Look for bots, an attack, a new plugin or a campaign.`,
  },
  HostingDatabaseGrewFast: {
    summary: 'Hosting database grew unusually fast.',
    description: text`
      Database ${label('database')} of account ${account} is ${value('tenths')} times as large as a day ago${[
        queryValue('; it uses ', facts.databaseSize, 'bytes', '', ['account', 'database']),
        queryValue('; all databases together use ', facts.databasesSize, 'bytes'),
      ]}. Usually a table of logs, sessions or spam grows.`,
  },
};
