import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

/** Rules about backups, a sudden loss of sites, domains, databases or cron tasks, and mailboxes that start to forward. */
export function inventoryRules(builder: RuleBuilder): RuleGroup {
  return builder.detailGroup('hosting-inventory', [
    ...builder.thresholdAlert('HostingBackupMissing', {
      dashboard: 'hosting-account',
      subject: builder.slow(records.mostBackups),
    }),
    ...builder.thresholdAlert('HostingBackupTooOld', { dashboard: 'hosting-account', subject: records.backupAge }),
    ...builder.ifOn('HostingInventoryCollapsed', {
      record: records.inventoryShare,
      expr: `${records.inventory} / (${builder.slow(records.largestInventory)} > 0)`,
    }),
    ...builder.thresholdAlert('HostingInventoryCollapsed', {
      dashboard: 'hosting-account',
      subject: records.inventoryShare,
    }),
    ...builder.thresholdAlert('HostingMailForwardingStarted', {
      dashboard: 'hosting-account',
      subject: builder.slow(records.forwardingAdded),
    }),
  ]);
}
