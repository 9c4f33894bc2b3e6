import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/api/error.ts';
import type { Method } from '../../../src/api/method.ts';
import { SectionAccess } from '../../../src/api/section-access.ts';

const wrongPassword = 'Username/password incorrect';

/** A call that is answered before the next one is sent. */
function accept(sections: SectionAccess, method: Method): void {
  sections.accepted(method, sections.sent());
}

function reject(sections: SectionAccess, method: Method, reason: Reason, text: string): Reason {
  return sections.rejected(method, reason, text, sections.sent());
}

describe('section access', () => {
  it('treats rejections as wrong credentials until a call is accepted', () => {
    const sections = new SectionAccess();

    expect(reject(sections, 'user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
    expect(reject(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
    expect(reject(sections, 'user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
  });

  it.each([
    ['Cannot access method mysql', 'permission'],
    ['Method disabled', 'permission'],
    ['access denied', 'auth'],
    ['Username/password incorrect', 'auth'],
  ])('takes %j for the reason %s before any call is accepted', (text, reason) => {
    const sections = new SectionAccess();

    expect(reject(sections, 'mysql/getList', 'auth', text)).toBe(reason);
  });

  it.each(['Cannot access method mysql', 'Method disabled', 'access denied', 'This is not allowed', 'not permitted'])(
    'detects a missing permission by the text %j when another section works',
    (text) => {
      const sections = new SectionAccess();
      accept(sections, 'user/getAccountInfo');

      expect(reject(sections, 'mysql/getList', 'auth', text)).toBe('permission');
    },
  );

  it('detects a missing permission when another section is accepted between two rejections', () => {
    const sections = new SectionAccess();
    reject(sections, 'mysql/getList', 'auth', wrongPassword);
    accept(sections, 'user/getAccountInfo');

    expect(reject(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('permission');
  });

  it('detects a changed password when all sections are rejected', () => {
    const sections = new SectionAccess();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'stat/getDbListLoad'] as const) {
      accept(sections, method);
    }

    for (const method of ['mysql/getList', 'user/getAccountInfo', 'stat/getDbListLoad', 'mysql/getList'] as const) {
      expect(reject(sections, method, 'auth', wrongPassword)).toBe('auth');
    }
  });

  it('does not treat a late rejection of the previous password as a missing permission', () => {
    const sections = new SectionAccess();
    const late = sections.sent();
    reject(sections, 'mysql/getList', 'auth', wrongPassword);
    accept(sections, 'user/getAccountInfo');

    expect(sections.rejected('mysql/getList', 'auth', wrongPassword, late)).toBe('auth');
    expect(reject(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it('ignores a late acceptance of the previous password', () => {
    const sections = new SectionAccess();
    const late = sections.sent();
    reject(sections, 'mysql/getList', 'auth', wrongPassword);
    sections.accepted('user/getAccountInfo', late);

    expect(reject(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it('does not detect a missing permission by an accepted call of the same section', () => {
    const sections = new SectionAccess();
    accept(sections, 'stat/getDbListLoad');

    expect(reject(sections, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
    expect(reject(sections, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
  });

  it('forgets a rejection when the section works again', () => {
    const sections = new SectionAccess();
    reject(sections, 'mysql/getList', 'auth', wrongPassword);
    accept(sections, 'mysql/getList');
    accept(sections, 'user/getAccountInfo');

    expect(reject(sections, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it.each(['permission', 'limit', 'request', 'method', 'api'] as const)('keeps the reason %s', (reason) => {
    const sections = new SectionAccess();
    accept(sections, 'user/getAccountInfo');

    expect(reject(sections, 'mysql/getList', reason, 'Cannot access method mysql')).toBe(reason);
  });
});
