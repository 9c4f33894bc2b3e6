import { facts } from '../facts.ts';
import { label, labelWord, queryLabels, queryValue, text, value, when } from '../template.ts';
import type { AlertTexts } from '../texts.ts';

const account = label('account');

/** The value is the number of midnights until the account is suspended. */
const suspension = text`
  By the provider's estimate, account ${account} ${when(
    0,
    ['is already suspended'],
    [
      when(
        0.5,
        ['will be suspended today'],
        [when(1.5, ['will be suspended tomorrow'], ['will be suspended in ', value('whole'), ' days'])],
      ),
    ],
  )} for insufficient funds.`;

/** The value counts the whole days until a domain's last day begins: 0 on the day before, -1 on the last day. */
const daysLeft = when(
  0,
  ['; expiry: today'],
  [when(0.5, ['; expiry: tomorrow'], ['; full days until expiry: ', value('whole')])],
);

const freeSpace = queryValue('; ', facts.diskFree, 'tenths', ' GB free');

export const english: AlertTexts = {
  HostingExporterDown: {
    summary: 'Hosting exporter is down.',
    description: (severity) => [
      ...text`Prometheus cannot scrape exporter ${label('instance')} of job ${label('job')}`,
      severity === 'critical'
        ? '. At least one account is not monitored. Alerts that are already firing use their last known figures for a day.'
        : '. If the critical alert is not firing, another exporter is monitoring its accounts.',
    ],
  },
  HostingExporterAbsent: {
    summary: 'Prometheus has no target for the hosting exporter.',
    description: text`
      Prometheus has no target for job ${label('job')}: the target was removed from the configuration or is no longer
      discovered. No account is monitored.`,
  },
  HostingExporterRestarting: {
    summary: 'Hosting exporter keeps restarting.',
    description: text`
      Exporter ${label('instance')} of job ${label('job')} restarted
      ${when(1.5, ['once'], [value('whole'), ' times'])} within an hour. Accounts are polled late or not at all. The
      end of the log shows the reason, unless the exporter ran out of memory.`,
  },
  HostingScrapedTooRarely: {
    summary: 'Prometheus scrapes the hosting exporter too rarely.',
    description: text`
      Prometheus scraped exporter ${label('instance')} of job ${label('job')}
      ${when(1.5, ['once'], [value('whole'), ' times'])} in an hour. Alerts
      are unreliable. Scrape at least every five minutes.`,
  },
  HostingProviderUnreachable: {
    summary: 'Hosting provider is not responding to API calls for most accounts.',
    description: text`
      The API is not responding to calls for ${value('percent')} of the accounts of job
      ${label('job')}${queryLabels('; reason: ', facts.failureReasons, 'reason', [])}.`,
  },
  HostingExporterCannotPoll: {
    summary: 'Hosting exporter cannot poll its accounts.',
    description: (severity) => [
      ...text`Exporter ${label('instance')} of job ${label('job')} cannot poll ${value('percent')} of its accounts. `,
      severity === 'critical'
        ? 'No other exporter polls these accounts, but the API responds to other exporters. Check the network of this exporter.'
        : 'Another exporter is polling these accounts. Check the network, the address and the secrets of this exporter.',
    ],
  },
  HostingAccountUnreachable: {
    summary: 'Hosting provider is not responding to API calls for an account.',
    description: text`
      The API is not responding to calls for account
      ${account}${queryLabels('; reason: ', facts.failureReasons, 'reason', ['account'])}.`,
  },
  HostingMostLoginsRejected: {
    summary: 'Hosting provider rejects the credentials of most accounts.',
    description: text`
      The API rejects the login or password for ${value('percent')} of the accounts of job ${label('job')}. That many passwords rarely
      change at once. Check whether the provider blocks the exporter, whether the address of
      the exporter changed, and whether its secrets are mounted.`,
  },
  HostingCredentialsRejected: {
    summary: 'Hosting provider rejects the credentials of an account.',
    description: text`
      The API rejects the login or password of account ${account}. Its data is no longer updated. Retrying does not
      help: correct the credentials.`,
  },
  HostingPollFailing: {
    summary: 'Hosting account data is stale.',
    description: text`
      Collector ${label('collector')} of account ${account}: no new data for ${value('whole')} intervals${queryLabels('; reason: ', facts.collectorFailures, 'reason', ['account', 'collector'])}.`,
  },
  HostingAccountMissing: {
    summary: 'Hosting account is no longer monitored.',
    description: text`
      Account ${account} is no longer reported although all exporters of job ${label('job')} are up. No new alert about
      this account can fire. If you removed the account on purpose, ignore this alert. The alert ends after a day.`,
  },
  HostingConfigReloadFailed: {
    summary: 'Hosting exporter failed to reload its configuration.',
    description: text`
      Exporter ${label('instance')} of job ${label('job')} keeps its previous configuration because the new one has an
      error. The log names the file, line and key. The exporter does not start with this configuration.`,
  },
  HostingStateNotSaved: {
    summary: 'Hosting exporter cannot save its state.',
    description: text`
      Exporter ${label('instance')} of job ${label('job')} cannot write to its state directory. After a restart, figures
      will be missing until the accounts are polled again. The log contains the reason, such as a full disk.`,
  },
  HostingShardsDisagree: {
    summary: 'Hosting exporters disagree on the number of shards.',
    description: text`
      Exporters of job ${label('job')} run with different numbers of shards. The highest number is ${value('whole')}.
      Two exporters poll some accounts, which doubles their calls. Other accounts are not polled at all. Stop all
      exporters, then start all with the same number of shards.`,
  },
  HostingClocksDisagree: {
    summary: 'The clocks of the hosting exporter, Prometheus and the provider disagree.',
    description: text`
      Times from exporter ${label('instance')} of job ${label('job')} differ from the clock of Prometheus by
      ${value('whole')} minutes. A clock or the time_zone of an account is wrong.`,
  },
  HostingSeriesDropped: {
    summary: 'Hosting exporter drops series because of max_series.',
    description: text`
      Collector ${label('collector')} of account ${account} dropped ${value('whole')} series because of max_series.
      Some sites, databases or domains are not monitored. Raise max_series, or disable the collector.`,
  },
  HostingApiLimitHit: {
    summary: 'Hosting provider refuses API calls: rate limit exceeded.',
    description: text`
      The API refused ${when(1.5, ['a call'], [value('whole'), ' calls'])} for account ${account} because of the
      per-minute limit. Another client probably uses the same login, such as a second exporter or a script.`,
  },
  HostingApiBudgetExhausted: {
    summary: 'Hosting exporter needs more API calls than its budget allows.',
    description: text`
      For half an hour, the queue of account ${account} has had at least
      ${when(1.5, ['one call'], [value('whole'), ' calls'])} at all times. Polls are late. Increase requests_per_minute,
      or poll the fan-out collectors less often.`,
  },
  HostingPermissionMissing: {
    summary: 'Hosting account does not permit an API method.',
    description: (severity) => [
      ...text`Collector ${label('collector')} of account ${account} fails because its API method is not permitted. `,
      severity === 'info'
        ? "Tick the section in the provider's control panel, or disable the collector."
        : "Its data is no longer monitored. Tick the section in the provider's control panel.",
    ],
  },
  HostingDiskAlmostFull: {
    summary: 'Hosting account is almost out of disk space.',
    description: text`Account ${account} uses ${value('percent')} of its disk quota${freeSpace}.`,
  },
  HostingDiskFillingUp: {
    summary: 'Hosting account will run out of disk space within weeks.',
    description: text`
      At this rate, account ${account} will reach its disk quota in about
      ${value('whole')} days${freeSpace}.`,
  },
  HostingDiskFillingUpFast: {
    summary: 'Hosting account will run out of disk space within hours.',
    description: text`
      At this rate, account ${account} will reach its disk quota in about ${value('tenths')} hours. Find and stop the
      program that keeps writing.`,
  },
  HostingAccountBlockedToday: {
    summary: 'Hosting account is being suspended for insufficient funds.',
    description: suspension,
  },
  HostingAccountBlockedSoon: {
    summary: 'Hosting account is about to be suspended for insufficient funds.',
    description: suspension,
  },
  HostingDomainExpired: {
    summary: 'Hosted domain has expired.',
    description: (severity) => [
      ...text`Domain ${label('domain')} of account ${account} has expired. Its sites and mail are down. `,
      severity === 'critical'
        ? 'Renew the domain now. Renewal is possible for a few weeks, often at a higher price.'
        : 'The domain is registered elsewhere. Check there whether the domain was renewed.',
    ],
  },
  HostingDomainExpiring: {
    summary: 'Hosted domain expires soon without automatic renewal.',
    description: text`
      Domain ${label('domain')} of account ${account} is about to expire, and automatic renewal is off or
      unknown${daysLeft}.`,
  },
  HostingDomainRenewalOverdue: {
    summary: 'Automatic renewal of a hosted domain is overdue.',
    description: text`
      Domain ${label('domain')} of account ${account} is about to expire although automatic renewal is on. It has
      probably failed${daysLeft}.`,
  },
  HostingDomainRenewalFailed: {
    summary: 'Renewal of a hosted domain failed or is stuck.',
    description: text`
      The renewal of domain ${label('domain')} of account ${account} ${labelWord('status', { error: 'failed' }, 'is stuck')}${daysLeft}.`,
  },
  HostingBackupTooOld: {
    summary: 'Latest backup of a hosting account is too old.',
    description: text`
      The latest backup of the ${label('kind')} of account ${account} is ${value('tenths')} days old. Later changes
      cannot be restored from the provider’s backups.`,
  },
  HostingBackupMissing: {
    summary: 'Hosting account has no backup.',
    description: text`
      For days, the provider has listed no backup of the ${label('kind')} of account ${account}. Lost data cannot be
      restored from the provider’s backups.`,
  },
  HostingPlanLoadHigh: {
    summary: 'Hosting account is close to the load limit of its plan.',
    description: text`
      The sites of account ${account} use ${value('percent')} of the load that the plan allows (mean over the last
      month). Above the limit, the provider throttles the account or requires a bigger plan.`,
  },
  HostingInventoryCollapsed: {
    summary: 'Hosting account lost most of its sites, domains, databases or cron tasks.',
    description: text`
      Account ${account} has only ${value('percent')} of the ${labelWord('kind', { cron_tasks: 'cron tasks' })} that it had at some point in the last day.`,
  },
  HostingMailForwardingStarted: {
    summary: 'A mailbox of a hosting account has started to forward its mail.',
    description: text`
      Domain ${label('domain')} of account ${account} has
      ${when(1.5, ['one more forwarding mailbox'], [value('whole'), ' more forwarding mailboxes'])} than a day ago. If
      the forwarding is not intended, an intruder may be reading the mail.`,
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
      Database ${label('database')} of account ${account} is ${value('tenths')} times as large as a day ago. The usual
      cause is a growing table of logs, sessions or spam.`,
  },
};
