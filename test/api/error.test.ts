import { expect, it } from 'vitest';
import { ApiError, failureOf, reasons } from '../../src/api/error.ts';

it.each(reasons)('an error of the API with the reason %s says whether the API accepted the credentials', (reason) => {
  const accepted = ['permission', 'limit', 'request', 'method', 'api'].includes(reason);

  expect(new ApiError('x', { reason }).accepted).toBe(accepted);
  expect(new ApiError('x', { reason, accepted: !accepted }).accepted).toBe(!accepted);
});

it('an error that is not of the API is a bug, with its stack', () => {
  const error = new TypeError('broken');

  const failures = [failureOf(error), failureOf('text')];

  expect(failures).toEqual([
    { reason: 'bug', message: 'TypeError: broken', stack: error.stack, accepted: false },
    { reason: 'bug', message: 'text', stack: undefined, accepted: false },
  ]);
});
