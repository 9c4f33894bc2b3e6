import { printSize } from '../dialect.ts';
import { bytesAt } from '../figures/growth.ts';
import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { addDatabase, deleteDatabase, findDatabase } from '../state/databases.ts';
import { isAccessHost } from '../state/names.ts';
import type { AccountRecord, DatabaseRecord } from '../state/records.ts';
import { type Call, change, read, type SandboxSection } from './method.ts';

// The specification does not define the parameters. The parameter db_name comes from backup/restoreMysql. The parameter access is a host,
// by default localhost.
const specification: SandboxSection = {
  getList: read('list databases', [], (call) =>
    call.account.databases.map((database) => specificationRecord(database, call)),
  ),
  getData: read('information about one database', ['db_name'], (call, name) => {
    const database = findDatabase(call.account, name);
    return { ...specificationRecord(database, call), accesses: accessesOf(database) };
  }),
  changeAccessPassword: change(
    'change the access password',
    ['db_name', 'password', 'access?'],
    ({ account, args }, name, password) =>
      changeAccessPassword(findDatabase(account, name), args.optionalText('access') ?? 'localhost', password),
  ),
  addDb: change('create a database', ['db_name', 'password'], ({ account, moment }, name, password) =>
    addDatabase(account, moment, { name, password }),
  ),
  deleteDb: change('delete a database', ['db_name'], ({ account, moment }, name) =>
    deleteDatabase(account, moment, name),
  ),
};

// The parameter suffix identifies a database. It is the name of the database without the login and the underscore.
const provider: SandboxSection = {
  getList: read('list databases', [], ({ account, moment }) =>
    account.databases.map((database) => ({
      name: database.name,
      size: printSize(bytesAt(database.size, moment.simulated), 'provider').text,
      accesses: accessesOf(database),
    })),
  ),
  addDb: change('create a database', ['suffix', 'password'], ({ account, moment }, suffix, password) =>
    addDatabase(account, moment, { name: nameOf(account, suffix), password }),
  ),
  dropDb: change('delete a database', ['suffix'], ({ account, moment }, suffix) =>
    deleteDatabase(account, moment, nameOf(account, suffix)),
  ),
  addAccess: change(
    'grant a host access to a database',
    ['suffix', 'access', 'password'],
    ({ account }, suffix, access, password) => {
      if (!isAccessHost(access)) {
        throw new Refusal('invalid', 'access must be localhost, an address, a domain name or *');
      }
      findDatabase(account, nameOf(account, suffix)).accesses.set(access, password);
    },
  ),
  dropAccess: change(
    'revoke the access of a host to a database',
    ['suffix', 'access'],
    ({ account }, suffix, access) => {
      if (!findDatabase(account, nameOf(account, suffix)).accesses.delete(access)) {
        throw new Refusal('failed', `There is no access ${access}`);
      }
    },
  ),
  changeAccessPassword: change(
    'change the password of a host',
    ['suffix', 'access', 'password'],
    ({ account }, suffix, access, password) =>
      changeAccessPassword(findDatabase(account, nameOf(account, suffix)), access, password),
  ),
};

export const mysql = { specification, provider };

function specificationRecord(database: DatabaseRecord, { moment }: Call): JsonObject {
  const size = printSize(bytesAt(database.size, moment.simulated), 'specification').text;
  return { name: database.name, size, user: database.user };
}

function accessesOf(database: DatabaseRecord): readonly JsonObject[] {
  return [...database.accesses.keys()].map((name) => ({ name }));
}

function changeAccessPassword(database: DatabaseRecord, access: string, password: string): void {
  if (!database.accesses.has(access)) {
    throw new Refusal('failed', `There is no access ${access}`);
  }
  database.accesses.set(access, password);
}

function nameOf(account: AccountRecord, suffix: string): string {
  return `${account.login}_${suffix}`;
}
