import { expect, it } from 'vitest';
import { bcryptCost, webConfigFile } from '../../../../src/web/config/schema.ts';

/** Salt and checksum of a hash: 53 characters. */
const rest = '7FSFa/vT.STeMUvCicrEv.B31mIlC4S6ez9pW27NONGstmInofpkC';
const advice = 'write the output of `hosting-account-exporter hash-password`';

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

it.each(['', 'dave123', `$2$10$${rest.slice(1)}`])('refuses %j as too short', (text) => {
  expect(problemsOf(text)).toEqual([`is too short for a bcrypt hash; ${advice}`]);
});

it.each([
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
])('refuses %j', (text) => {
  expect(problemsOf(text)).toEqual([`is not a bcrypt hash; ${advice}`]);
});

it.each(['$2b$00$', '$2b$03$', '$2b$32$', '$2b$99$'])('refuses the cost of %s', (start) => {
  expect(problemsOf(start + rest)).toEqual([`is not a bcrypt hash, because its cost is not from 4 to 31; ${advice}`]);
});
