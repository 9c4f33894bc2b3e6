import { printSize } from '../dialects/sizes.ts';
import { bytesAt } from '../figures/growth.ts';
import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { addDatabase, deleteDatabase, findDatabase } from '../state/databases.ts';
import type { DatabaseRecord } from '../state/records.ts';
import type { Call, Section } from './method.ts';

// The specification does not define the parameters. db_name is that of backup/restoreMysql; access is the host, localhost by default.
const specification: Section = {
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
    answer: ({ account, args }) => changeAccessPassword(findDatabase(account, args.text('db_name')), args),
  },
  addDb: {
    purpose: 'create a database',
    parameters: ['db_name', 'password'],
    answer: ({ account, moment, args }) => {
      addDatabase(account, moment, { name: args.text('db_name'), password: args.text('password') });
      return true;
    },
  },
  deleteDb: {
    purpose: 'delete a database',
    parameters: ['db_name'],
    answer: ({ account, moment, args }) => {
      deleteDatabase(account, moment, args.text('db_name'));
      return true;
    },
  },
};

// suffix identifies a database: its name without the login and an underscore.
const provider: Section = {
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
    answer: (call) => {
      addDatabase(call.account, call.moment, { name: suffixedName(call), password: call.args.text('password') });
      return true;
    },
  },
  dropDb: {
    purpose: 'delete a database',
    parameters: ['suffix'],
    answer: (call) => {
      deleteDatabase(call.account, call.moment, suffixedName(call));
      return true;
    },
  },
  addAccess: {
    purpose: 'grant a host access to a database',
    parameters: ['suffix', 'access', 'password'],
    answer: (call) => {
      findDatabase(call.account, suffixedName(call)).accesses.set(call.args.text('access'), call.args.text('password'));
      return true;
    },
  },
  dropAccess: {
    purpose: 'revoke the access of a host to a database',
    parameters: ['suffix', 'access'],
    answer: (call) => {
      const access = call.args.text('access');
      if (!findDatabase(call.account, suffixedName(call)).accesses.delete(access)) {
        throw new Refusal('failed', `There is no access ${access}`);
      }
      return true;
    },
  },
  changeAccessPassword: {
    purpose: 'change the password of a host',
    parameters: ['suffix', 'access', 'password'],
    answer: (call) => changeAccessPassword(findDatabase(call.account, suffixedName(call)), call.args),
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

function changeAccessPassword(database: DatabaseRecord, args: Call['args']): boolean {
  const access = args.optionalText('access') ?? 'localhost';
  if (!database.accesses.has(access)) {
    throw new Refusal('failed', `There is no access ${access}`);
  }
  database.accesses.set(access, args.text('password'));
  return true;
}

function suffixedName({ account, args }: Call): string {
  return `${account.login}_${args.text('suffix')}`;
}
