import { RuleWriter } from './rule.ts';
import type { Settings } from './settings.ts';

/** An Alertmanager configuration to start from: who is told, what is told together, and which cause mutes which effect. */
export function alertmanagerExample(settings: Settings): string {
  const { critical, warning, info } = settings.severityNames;
  const writer = new RuleWriter(settings);
  return `# Written by \`hosting-account-exporter rules\` as an example: copy it, and give the receivers an address.
route:
  receiver: mail
  # One notification an alert and an account: the twenty domains of a customer are one mail.
  group_by: [alertname, job, account]
  # A cause fires some minutes before its effects; a short wait lets it arrive first.
  group_wait: ${writer.time('1m')}
  group_interval: ${writer.time('5m')}
  repeat_interval: ${writer.time('1d')}
  routes:
    # Nothing to do: look at them on the dashboard.
    - matchers: ['alertname =~ "Hosting.+"', 'severity = "${info}"']
      receiver: nobody
    # About the watching itself: one notification for all accounts.
    - matchers: ['alertname =~ "Hosting(Exporter|Provider|Credentials|Poll|AccountMissing|Config|Series).*"']
      group_by: [alertname, job]
      routes:
        - matchers: ['severity = "${critical}"']
          receiver: page
          repeat_interval: ${writer.time('4h')}
    # Some days are left: nobody is woken for them, somebody is told in the morning.
    - matchers: ['alertname =~ "Hosting(AccountBlockedSoon|DomainExpiring)"', 'severity = "${critical}"']
      receiver: page
      mute_time_intervals: [night]
    - matchers: ['alertname =~ "Hosting.+"', 'severity = "${critical}"']
      receiver: page
      repeat_interval: ${writer.time('4h')}

time_intervals:
  - name: night
    time_intervals:
      - times: [{ start_time: '22:00', end_time: '24:00' }, { start_time: '00:00', end_time: '08:00' }]
        location: UTC   # or yours, such as Europe/Moscow

receivers:
  # Wakes somebody up.
  - name: page
    # pagerduty_configs, opsgenie_configs, webhook_configs ...
  # Read in the morning.
  - name: mail
    # email_configs, slack_configs, telegram_configs ...
  - name: nobody

# A cause mutes its effect. A label that both sides lack counts as equal; one that only one side has does not.
# What goes to nobody mutes nothing: or nobody would hear of either.
inhibit_rules:
  # The louder severity of the same alert.
  - source_matchers: ['alertname =~ "Hosting.+"', 'severity = "${critical}"']
    target_matchers: ['alertname =~ "Hosting.+"', 'severity = "${warning}"']
    equal: [alertname, job, instance, account, collector, site_id, database, domain, kind]
  # No answer from the provider: no account can be polled, whatever else is said of it.
  - source_matchers: ['alertname = "HostingProviderUnreachable"']
    target_matchers: ['alertname =~ "Hosting(PollFailing|CredentialsRejected)"']
    equal: [job]
  # Rejected credentials: the figures of this account get stale.
  - source_matchers: ['alertname = "HostingCredentialsRejected"']
    target_matchers: ['alertname = "HostingPollFailing"']
    equal: [job, account]
  # Full soon within hours says more than full soon within weeks, and than almost full.
  - source_matchers: ['alertname = "HostingDiskFillingUpFast"']
    target_matchers: ['alertname = "HostingDiskFillingUp"']
    equal: [job, account]
  - source_matchers: ['alertname = "HostingDiskFillingUpFast"']
    target_matchers: ['alertname = "HostingDiskAlmostFull"', 'severity = "${warning}"']
    equal: [job, account]
  # It is full already: when it would have been is no news.
  - source_matchers: ['alertname = "HostingDiskAlmostFull"', 'severity = "${critical}"']
    target_matchers: ['alertname =~ "HostingDiskFillingUp(Fast)?"']
    equal: [job, account]
  # No money on the account: its domains are not renewed.
  - source_matchers: ['alertname = "HostingAccountBlockedSoon"']
    target_matchers: ['alertname = "HostingDomainRenewalOverdue"']
    equal: [job, account]
`;
}
