import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/api/error.ts';
import type { Method } from '../../../src/api/method.ts';
import { MethodAccess } from '../../../src/api/method-access.ts';

const wrongPassword = 'Username/password incorrect';

/** A call that is answered before the next one is sent. */
function accept(access: MethodAccess, method: Method): void {
  access.accepted(method, access.sent());
}

function reject(access: MethodAccess, method: Method, reason: Reason, text: string): Reason {
  return access.rejected(method, reason, text, access.sent());
}

describe('method access', () => {
  it('treats rejections as wrong credentials until a call is accepted', () => {
    const access = new MethodAccess();

    expect(reject(access, 'user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
    expect(reject(access, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
    expect(reject(access, 'user/getAccountInfo', 'auth', wrongPassword)).toBe('auth');
  });

  it.each([
    ['Cannot access method mysql', 'permission'],
    ['Method disabled', 'permission'],
    ['access denied', 'auth'],
    ['Username/password incorrect', 'auth'],
  ])('takes %j for the reason %s before any call is accepted', (text, reason) => {
    const access = new MethodAccess();

    expect(reject(access, 'mysql/getList', 'auth', text)).toBe(reason);
  });

  it.each(['Cannot access method mysql', 'Method disabled', 'access denied', 'This is not allowed', 'not permitted'])(
    'detects a missing permission by the text %j when another method works',
    (text) => {
      const access = new MethodAccess();
      accept(access, 'user/getAccountInfo');

      expect(reject(access, 'mysql/getList', 'auth', text)).toBe('permission');
    },
  );

  it('detects a missing permission when another method is accepted between two rejections', () => {
    const access = new MethodAccess();
    reject(access, 'mysql/getList', 'auth', wrongPassword);
    accept(access, 'user/getAccountInfo');

    expect(reject(access, 'mysql/getList', 'auth', wrongPassword)).toBe('permission');
  });

  it('detects a changed password when all methods are rejected', () => {
    const access = new MethodAccess();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'stat/getDbListLoad'] as const) {
      accept(access, method);
    }

    for (const method of ['mysql/getList', 'user/getAccountInfo', 'stat/getDbListLoad', 'mysql/getList'] as const) {
      expect(reject(access, method, 'auth', wrongPassword)).toBe('auth');
    }
  });

  it('does not treat a late rejection of the previous password as a missing permission', () => {
    const access = new MethodAccess();
    const late = access.sent();
    reject(access, 'mysql/getList', 'auth', wrongPassword);
    accept(access, 'user/getAccountInfo');

    expect(access.rejected('mysql/getList', 'auth', wrongPassword, late)).toBe('auth');
    expect(reject(access, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it('ignores a late acceptance of the previous password', () => {
    const access = new MethodAccess();
    const late = access.sent();
    reject(access, 'mysql/getList', 'auth', wrongPassword);
    access.accepted('user/getAccountInfo', late);

    expect(reject(access, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it('detects a missing permission when another method of the section is accepted between two rejections', () => {
    const access = new MethodAccess();
    reject(access, 'stat/getDbLoad', 'auth', wrongPassword);
    accept(access, 'stat/getDbListLoad');

    expect(reject(access, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('permission');
  });

  it('does not detect a missing permission by a call that was accepted before the first rejection', () => {
    const access = new MethodAccess();
    accept(access, 'stat/getDbListLoad');

    expect(reject(access, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
    expect(reject(access, 'stat/getDbLoad', 'auth', wrongPassword)).toBe('auth');
  });

  it('gives calls in progress the reason of the rejection that arrived before theirs', () => {
    const access = new MethodAccess();
    reject(access, 'stat/getDbLoad', 'auth', wrongPassword);
    accept(access, 'stat/getDbListLoad');
    const inProgress = [access.sent(), access.sent(), access.sent()];

    const reasons = inProgress.map((sent) => access.rejected('stat/getDbLoad', 'auth', wrongPassword, sent));

    expect(reasons).toEqual(['permission', 'permission', 'permission']);
  });

  it('does not take the words of a missing permission for one after the only accepted method was rejected', () => {
    const access = new MethodAccess();
    accept(access, 'mysql/getList');

    expect(reject(access, 'mysql/getList', 'auth', 'access denied')).toBe('auth');
    expect(reject(access, 'mysql/getList', 'auth', 'access denied')).toBe('auth');
  });

  it('does not detect a missing permission by a call that is answered after the rejected one was sent', () => {
    const access = new MethodAccess();
    reject(access, 'mysql/getList', 'auth', wrongPassword);
    const other = access.sent();
    const second = access.sent();
    access.accepted('user/getAccountInfo', other);

    expect(access.rejected('mysql/getList', 'auth', wrongPassword, second)).toBe('auth');
  });

  it('forgets a rejection when the method works again', () => {
    const access = new MethodAccess();
    reject(access, 'mysql/getList', 'auth', wrongPassword);
    accept(access, 'mysql/getList');
    accept(access, 'user/getAccountInfo');

    expect(reject(access, 'mysql/getList', 'auth', wrongPassword)).toBe('auth');
  });

  it.each(['permission', 'limit', 'request', 'method', 'api'] as const)('keeps the reason %s', (reason) => {
    const access = new MethodAccess();
    accept(access, 'user/getAccountInfo');

    expect(reject(access, 'mysql/getList', reason, 'Cannot access method mysql')).toBe(reason);
  });
});
