import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/api/error.ts';
import type { Method } from '../../../src/api/method.ts';
import { SectionMemory } from '../../../src/api/section-memory.ts';

const wrongPassword = 'Username/password incorrect';

/** A call that is answered before another one is sent. */
function accept(sections: SectionMemory, method: Method): void {
  sections.accepted(method, sections.sent());
}

function refuse(sections: SectionMemory, method: Method, reason: Reason, text: string): Reason {
  return sections.refused(method, reason, text, sections.sent());
}

describe('what the sections answered', () => {
  it('leaves a first refusal a matter of the credentials', () => {
    const sections = new SectionMemory();

    expect(refuse(sections, 'user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
    expect(refuse(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
    expect(refuse(sections, 'user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
  });

  it('leaves it so for a text that names the method, as long as nothing was accepted', () => {
    const sections = new SectionMemory();

    expect(refuse(sections, 'mysql/getList', 'auth', 'Cannot access method mysql')).toBe('auth');
  });

  it.each(['Cannot access method mysql', 'Method disabled', 'access denied', 'This is not allowed', 'not permitted'])(
    'makes it a matter of permission where the text says %j and another section works',
    (text) => {
      const sections = new SectionMemory();
      accept(sections, 'user/getAccountInfo');

      expect(refuse(sections, 'mysql/getList', 'auth', text)).toBe('permission');
    },
  );

  it('makes it a matter of permission where another section was accepted between two refusals', () => {
    const sections = new SectionMemory();
    refuse(sections, 'mysql/getList', 'auth', wrongPassword);
    accept(sections, 'user/getAccountInfo');

    expect(refuse(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('permission');
  });

  it('sees a password that was changed: all sections are refused, whatever they answered before', () => {
    const sections = new SectionMemory();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'stat/getDbListLoad'] as const) {
      accept(sections, method);
    }

    for (const method of ['mysql/getList', 'user/getAccountInfo', 'stat/getDbListLoad', 'mysql/getList'] as const) {
      expect(refuse(sections, method, 'auth', wrongPassword)).toBe('auth');
    }
  });

  it('does not take a late refusal of the former password for one of the section', () => {
    const sections = new SectionMemory();
    const late = sections.sent();
    refuse(sections, 'mysql/getList', 'auth', wrongPassword);
    accept(sections, 'user/getAccountInfo');

    expect(sections.refused('mysql/getList', 'auth', wrongPassword, late)).toBe('auth');
    expect(refuse(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it('does not take a late acceptance of the former password for one of the new', () => {
    const sections = new SectionMemory();
    const late = sections.sent();
    refuse(sections, 'mysql/getList', 'auth', wrongPassword);
    sections.accepted('user/getAccountInfo', late);

    expect(refuse(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it('does not take the acceptance of the same section for that of another', () => {
    const sections = new SectionMemory();
    accept(sections, 'stat/getDbListLoad');

    expect(refuse(sections, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
    expect(refuse(sections, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
  });

  it('forgets a refusal once the section works again', () => {
    const sections = new SectionMemory();
    refuse(sections, 'mysql/getList', 'auth', wrongPassword);
    accept(sections, 'mysql/getList');
    accept(sections, 'user/getAccountInfo');

    expect(refuse(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it.each(['permission', 'limit', 'request', 'method', 'api'] as const)('leaves %s as it is', (reason) => {
    const sections = new SectionMemory();
    accept(sections, 'user/getAccountInfo');

    expect(refuse(sections, 'mysql/getList', reason, 'Cannot access method mysql')).toBe(reason);
  });
});
