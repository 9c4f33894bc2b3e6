import type { AccountSeed } from './account-seed.ts';
import { agency } from './agency.ts';
import { blog } from './blog.ts';
import { shop } from './shop.ts';
import { unlimited } from './unlimited.ts';

/** The demo accounts. The logins, passwords and tokens of these accounts are fixed and not secret. */
export const demoAccounts: readonly AccountSeed[] = [blog, shop, agency, unlimited];
