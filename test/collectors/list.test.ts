import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';

describe('the collectors', () => {
  it('are all enabled by default, except three that make a call per domain or site', () => {
    const off = collectors.filter(({ offByDefault }) => offByDefault === true).map(({ name }) => name);

    expect(off).toEqual(['dns', 'php_versions', 'frozen_sites']);
  });

  it('come after the collectors whose lists they use, so that a restore knows the lists first', () => {
    const followers = collectors.filter(({ itemsFrom }) => itemsFrom !== undefined);
    const early = followers.filter(
      (one) => !collectors.slice(0, collectors.indexOf(one)).includes(one.itemsFrom ?? one),
    );

    expect(early).toEqual([]);
    expect(followers).toHaveLength(6);
  });

  it('call the API in an order of importance: the account first, calls per item last', () => {
    const priorities = collectors.map(({ name, itemLabels }) =>
      name === 'account' ? 'account' : itemLabels.length === 0 ? 'list' : 'fan-out',
    );

    expect(collectors.map(({ priority }) => priority)).toEqual(priorities);
    expect(new Set(priorities).size).toBe(3);
  });

  it('stretch only calls per item, and guard all payloads except those of items that are not counted, such as histories of load, which are short after midnight', () => {
    const perItem = collectors.map(({ itemLabels }) => itemLabels.length > 0);

    expect(collectors.map(({ stretches }) => stretches)).toEqual(perItem);
    expect(collectors.filter(({ isGuarded }) => !isGuarded).map(({ name }) => name)).toEqual([
      'site_load_detail',
      'database_load_detail',
      'php_versions',
      'frozen_sites',
    ]);
  });
});
