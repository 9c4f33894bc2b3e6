import { describe, expect, it } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';
import { familiesOf } from './collected.ts';

describe('the collectors', () => {
  it('call the API in an order of importance: the account first, calls per item last', () => {
    const priorities = collectors.map(({ name, itemLabels }) =>
      name === 'account' ? 'account' : itemLabels.length === 0 ? 'list' : 'fan-out',
    );

    expect(collectors.map(({ priority }) => priority)).toEqual(priorities);
    expect(new Set(priorities).size).toBe(3);
  });

  it('stretch only calls per item, and guard only lists', () => {
    const perItem = collectors.map(({ itemLabels }) => itemLabels.length > 0);

    expect(collectors.map(({ stretches }) => stretches)).toEqual(perItem);
    expect(collectors.map(({ isGuarded }) => !isGuarded)).toEqual(perItem);
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

  /** Numbers of elements, and the date of the newest one; the numbers of the account are single fields. */
  const dependOnAll = collectors
    .filter(({ name }) => name !== 'account')
    .flatMap(({ metrics }) => metrics)
    .filter(({ name, help }) => help.startsWith('Number of ') || name === 'hosting_backup_last_timestamp_seconds')
    .map(({ name }) => name);

  it('exports all metrics but the ones that depend on all elements, such as counts', () => {
    const leftOut = collectors.flatMap((collector) => {
      const exported = familiesOf(collector, payloads[collector.name] ?? [], {}, false).map(({ name }) => name);
      return collector.metrics.map(({ name }) => name).filter((name) => !exported.includes(name));
    });

    expect(leftOut).toEqual(dependOnAll);
    expect(leftOut.length).toBeGreaterThan(10);
  });
});
