import { describe, expect, it } from 'vitest';
import type { Collector } from '../../../src/collectors/collector.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { familiesOf } from './collected.ts';

function namesWhere(condition: (collector: Collector) => boolean): readonly string[] {
  return collectors.filter(condition).map(({ name }) => name);
}

describe('the collectors', () => {
  it('are all enabled by default, except two that make a call per domain', () => {
    expect(namesWhere(({ offByDefault }) => offByDefault === true)).toEqual(['dns', 'php_versions']);
  });

  it('call the API in an order of importance: the account first, calls per item last', () => {
    expect(namesWhere(({ priority }) => priority === 'account')).toEqual(['account']);
    expect(namesWhere(({ priority }) => priority === 'fan-out')).toEqual([
      'site_load_detail',
      'database_load_detail',
      'mailboxes',
      'backups',
      'dns',
      'php_versions',
    ]);
  });
});

describe('an answer with elements that cannot be read', () => {
  const zone = [{ type: 'MX', count: 2 }];
  const payloads: Readonly<Record<string, unknown>> = {
    domains: { domains: [], subdomains: [] },
    backups: { count: 2, newest: 1000 },
    dns: zone,
    account: {},
    site_load_detail: { hours: [], days: [] },
    database_load_detail: { hours: [], days: [], sizeDays: [] },
    php_versions: { php_version: '8.4' },
  };

  it('exports all metrics but the ones that depend on all elements, such as counts', () => {
    const leftOut = collectors.flatMap((collector) => {
      const exported = familiesOf(collector, payloads[collector.name] ?? [], {}, false).map(({ name }) => name);
      return collector.metrics.map(({ name }) => name).filter((name) => !exported.includes(name));
    });

    expect(leftOut).toEqual([
      'hosting_databases',
      'hosting_database_remote_accesses',
      'hosting_sites',
      'hosting_domains',
      'hosting_subdomains',
      'hosting_mailboxes',
      'hosting_mailboxes_forwarding',
      'hosting_mailboxes_spam_filter_disabled',
      'hosting_ftp_accounts',
      'hosting_cron_tasks',
      'hosting_backups',
      'hosting_backup_last_timestamp_seconds',
      'hosting_domain_dns_records',
    ]);
  });
});
