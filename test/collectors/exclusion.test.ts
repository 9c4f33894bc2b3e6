import { expect, it } from 'vitest';
import { Exclusion } from '../../src/collectors/exclusion.ts';

const none = { domains: [], sites: [], databases: [] };

it.each([
  ['old.example', 'old.example', true],
  ['old.example', 'OLD.example', true],
  ['Old.Example', 'old.example', true],
  ['old.example', 'www.old.example', false],
  ['old.example', 'oldxexample', false],
  ['*.old.example', 'www.old.example', true],
  ['*.old.example', 'old.example', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*bc*bcd', 'bc-bcbcd', true],
  ['a**b', 'ab', true],
  ['ab*ba', 'aba', false],
  ['*a*a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(100), false],
  ['почта.рф', 'xn--80a1acny.xn--p1ai', true],
  ['*.xn--p1ai', 'почта.рф', true],
  ['xn--80a1acny.xn--p1ai', 'ПОЧТА.рф', true],
  ['a+(b).example', 'a+(b).example', true],
])('an exclusion of the domain %s leaves out %s: %s', (pattern, name, isExcluded) => {
  const exclusion = new Exclusion({ ...none, domains: [pattern] });

  expect(exclusion.has('domains', name)).toBe(isExcluded);
  expect(exclusion.has('subdomains', name)).toBe(isExcluded);
  expect(exclusion.hasItem({ domain: name })).toBe(isExcluded);
  expect(exclusion.has('sites', name)).toBe(false);
});

it('names a site by its name or ID, and a database by its name', () => {
  const exclusion = new Exclusion({ ...none, sites: ['17', 'old*'], databases: ['*_old'] });

  const items = [
    { site_id: '17', site: 'shop' },
    { site_id: '1', site: 'old-shop' },
    { site_id: '170', site: 'shop' },
    { database: 'shop_old' },
    { database: 'old_shop' },
  ];
  expect(items.map((item) => exclusion.hasItem(item))).toEqual([true, true, false, true, false]);
});
