import { expect, it } from 'vitest';
import { bcryptCost, webConfigFile } from '../../../src/web/config/schema.ts';

/** Salt and checksum of a hash: 53 characters. */
const rest = '7FSFa/vT.STeMUvCicrEv.B31mIlC4S6ez9pW27NONGstmInofpkC';

function problemsOf(hash: string): readonly string[] {
  const { error } = webConfigFile.safeParse({ basic_auth_users: { dave: hash } });
  return error?.issues.map(({ message }) => message) ?? [];
}

it.each([
  ['$2$10$', 10],
  ['$2a$04$', 4],
  ['$2b$12$', 12],
  ['$2y$31$', 31],
])('accepts a hash that starts with %s, and reads its cost', (start, cost) => {
  expect(problemsOf(start + rest)).toEqual([]);
  expect(bcryptCost(start + rest)).toBe(cost);
});

it.each([
  '',
  'dave123',
  `$2$10$${rest.slice(1)}`,
  `$2c$10$${rest}`,
  `$2bb$10$${rest}`,
  `$1$10$${rest}`,
  `$2b$1x$${rest}`,
  `$2b$x1$${rest}`,
  `$2b$100$${rest}`,
  `$2b$10$${rest}x`,
  `x$2b$10$${rest}`,
  `$2b$10$${rest}\n`,
  `$2b$10$${rest.replace('.', '-')}`,
  `$argon2id$v=19$m=65536,t=3,p=4$${rest}`,
  ...['00', '03', '32', '99'].map((cost) => `$2b$${cost}$${rest}`),
])('refuses %j without a quote of it', (text) => {
  expect(problemsOf(text)).toEqual([
    'is not a bcrypt hash with a cost from 4 to 31; write the output of `hosting-account-exporter hash-password`',
  ]);
});
