import { describe, expect, it } from 'vitest';
import { SectionMemory } from '../../../src/api/section-memory.ts';

const wrongPassword = 'Username/password incorrect';

describe('what the sections answered', () => {
  it('leaves a first refusal a matter of the credentials', () => {
    const sections = new SectionMemory();

    expect(sections.refused('user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
    expect(sections.refused('mysql/getList', 'auth', wrongPassword)).toBe('auth');
    expect(sections.refused('user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
  });

  it('leaves it so for a text that names the method, as long as nothing was accepted', () => {
    const sections = new SectionMemory();

    expect(sections.refused('mysql/getList', 'auth', 'Cannot access method mysql')).toBe('auth');
  });

  it.each(['Cannot access method mysql', 'Method disabled', 'access denied', 'This is not allowed', 'not permitted'])(
    'makes it a matter of permission where the text says %j and another section works',
    (text) => {
      const sections = new SectionMemory();
      sections.accepted('user/getAccountInfo');

      expect(sections.refused('mysql/getList', 'auth', text)).toBe('permission');
    },
  );

  it('makes it a matter of permission where another section was accepted between two refusals', () => {
    const sections = new SectionMemory();
    sections.refused('mysql/getList', 'auth', wrongPassword);
    sections.accepted('user/getAccountInfo');

    expect(sections.refused('mysql/getList', 'auth', wrongPassword)).toBe('permission');
  });

  it('sees a password that was changed: all sections are refused, whatever they answered before', () => {
    const sections = new SectionMemory();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'stat/getDbListLoad'] as const) {
      sections.accepted(method);
    }

    for (const method of ['mysql/getList', 'user/getAccountInfo', 'stat/getDbListLoad', 'mysql/getList'] as const) {
      expect(sections.refused(method, 'auth', wrongPassword)).toBe('auth');
    }
  });

  it('does not take the acceptance of the same section for that of another', () => {
    const sections = new SectionMemory();
    sections.accepted('stat/getDbListLoad');

    expect(sections.refused('stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
    expect(sections.refused('stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
  });

  it('forgets a refusal once the section works again', () => {
    const sections = new SectionMemory();
    sections.refused('mysql/getList', 'auth', wrongPassword);
    sections.accepted('mysql/getList');
    sections.accepted('user/getAccountInfo');

    expect(sections.refused('mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it.each(['permission', 'limit', 'request', 'method', 'api'] as const)('leaves %s as it is', (reason) => {
    const sections = new SectionMemory();
    sections.accepted('user/getAccountInfo');

    expect(sections.refused('mysql/getList', reason, 'Cannot access method mysql')).toBe(reason);
  });
});
