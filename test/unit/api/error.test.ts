import { describe, expect, it } from 'vitest';
import { ApiError, failureOf, reasons } from '../../../src/api/error.ts';
import { sectionLabels, sectionOf } from '../../../src/api/method.ts';

describe('an error of the API', () => {
  it.each(reasons)('with the reason %s says whether the API accepted the credentials', (reason) => {
    const accepted = ['permission', 'limit', 'request', 'method', 'api'].includes(reason);

    expect(new ApiError('x', { reason }).accepted).toBe(accepted);
    expect(new ApiError('x', { reason, accepted: !accepted }).accepted).toBe(!accepted);
  });

  it('keeps its cause, its code and the pause that the API asked for', () => {
    const cause = new TypeError('broken');

    expect(new ApiError('x', { reason: 'limit', code: 'LIMIT_ERROR', retryAfter: 5000, cause })).toMatchObject({
      name: 'ApiError',
      message: 'x',
      reason: 'limit',
      code: 'LIMIT_ERROR',
      retryAfter: 5000,
      cause,
    });
  });
});

it('an error that is not of the API is a bug, with its stack', () => {
  const error = new TypeError('broken');

  const failures = [failureOf(error), failureOf('text')];

  expect(failures).toEqual([
    { reason: 'bug', message: 'TypeError: broken', stack: error.stack, accepted: false },
    { reason: 'bug', message: 'text', stack: undefined, accepted: false },
  ]);
});

describe('a method', () => {
  it('belongs to a section, which the control panel names', () => {
    expect(sectionOf('mysql/getList')).toBe('mysql');
    expect(sectionLabels.mysql).toBe('MySQL');
  });
});
