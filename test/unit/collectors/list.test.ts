import { describe, expect, it } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';

describe('the collectors', () => {
  it('are all enabled by default, except two that make a call per domain', () => {
    const off = collectors.filter(({ offByDefault }) => offByDefault === true).map(({ name }) => name);

    expect(off).toEqual(['dns', 'php_versions']);
  });

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
