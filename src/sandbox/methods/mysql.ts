import { printSize } from '../dialects/sizes.ts';
import { bytesAt } from '../figures/growth.ts';
import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { addDatabase, deleteDatabase, findDatabase } from '../state/databases.ts';
import { isAccessHost } from '../state/names.ts';
import type { DatabaseRecord } from '../state/records.ts';
import type { Call, SandboxSection, SpecificationSection } from './method.ts';

// The specification does not define the parameters. The parameter db_name comes from backup/restoreMysql. access is a host, by default
// localhost.
const specification: SpecificationSection = {
  getList: {
    purpose: 'list databases',
    answer: (call) => call.account.databases.map((database) => specificationRecord(database, call)),
  },
  getData: {
    purpose: 'information about one database',
    parameters: ['db_name'],
    answer: (call) => {
      const database = findDatabase(call.account, call.args.text('db_name'));
      return { ...specificationRecord(database, call), accesses: accessesOf(database) };
    },
  },
  changeAccessPassword: {
    purpose: 'change the access password',
    parameters: ['db_name', 'password', 'access?'],
    change: ({ account, args }) => changeAccessPassword(findDatabase(account, args.text('db_name')), args),
  },
  addDb: {
    purpose: 'create a database',
    parameters: ['db_name', 'password'],
    change: ({ account, moment, args }) =>
      addDatabase(account, moment, { name: args.text('db_name'), password: args.text('password') }),
  },
  deleteDb: {
    purpose: 'delete a database',
    parameters: ['db_name'],
    change: ({ account, moment, args }) => deleteDatabase(account, moment, args.text('db_name')),
  },
};

// suffix identifies a database. The suffix is the name of the database without the login and the underscore.
const provider: SandboxSection = {
  getList: {
    purpose: 'list databases',
    answer: ({ account, moment }) =>
      account.databases.map((database) => ({
        name: database.name,
        size: printSize(bytesAt(database.size, moment.simulated), 'provider').text,
        accesses: accessesOf(database),
      })),
  },
  addDb: {
    purpose: 'create a database',
    parameters: ['suffix', 'password'],
    change: (call) =>
      addDatabase(call.account, call.moment, { name: suffixedName(call), password: call.args.text('password') }),
  },
  dropDb: {
    purpose: 'delete a database',
    parameters: ['suffix'],
    change: (call) => deleteDatabase(call.account, call.moment, suffixedName(call)),
  },
  addAccess: {
    purpose: 'grant a host access to a database',
    parameters: ['suffix', 'access', 'password'],
    change: (call) => {
      const access = call.args.text('access');
      if (!isAccessHost(access)) {
        throw new Refusal('invalid', 'access must be localhost, an address, a domain name or *');
      }
      findDatabase(call.account, suffixedName(call)).accesses.set(access, call.args.text('password'));
    },
  },
  dropAccess: {
    purpose: 'revoke the access of a host to a database',
    parameters: ['suffix', 'access'],
    change: (call) => {
      const access = call.args.text('access');
      if (!findDatabase(call.account, suffixedName(call)).accesses.delete(access)) {
        throw new Refusal('failed', `There is no access ${access}`);
      }
    },
  },
  changeAccessPassword: {
    purpose: 'change the password of a host',
    parameters: ['suffix', 'access', 'password'],
    change: (call) => changeAccessPassword(findDatabase(call.account, suffixedName(call)), call.args),
  },
};

export const mysql = { specification, provider };

function specificationRecord(database: DatabaseRecord, { moment }: Call): JsonObject {
  const size = printSize(bytesAt(database.size, moment.simulated), 'specification').text;
  return { name: database.name, size, user: database.user };
}

function accessesOf(database: DatabaseRecord): readonly JsonObject[] {
  return [...database.accesses.keys()].map((name) => ({ name }));
}

function changeAccessPassword(database: DatabaseRecord, args: Call['args']): void {
  const access = args.optionalText('access') ?? 'localhost';
  if (!database.accesses.has(access)) {
    throw new Refusal('failed', `There is no access ${access}`);
  }
  database.accesses.set(access, args.text('password'));
}

function suffixedName({ account, args }: Call): string {
  return `${account.login}_${args.text('suffix')}`;
}
