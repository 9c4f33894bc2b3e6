import { printSize } from '../dialects/sizes.ts';
import { bytesAt } from '../figures/growth.ts';
import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { addDatabase, deleteDatabase, findDatabase } from '../state/databases.ts';
import type { DatabaseRecord } from '../state/records.ts';
import type { Call, Section } from './method.ts';

// Not shown in the specification: the parameter db_name is that of backup/restoreMysql; access is the host, localhost where left out.
const specification: Section = {
  getList: {
    purpose: 'list databases',
    answer: (call) => call.account.databases.map((database) => specificationRecord(database, call)),
  },
  getData: {
    purpose: 'information about one database',
    parameters: ['db_name'],
    answer: (call) => {
      const database = findDatabase(call.account, call.given.text('db_name'));
      return { ...specificationRecord(database, call), accesses: accessesOf(database) };
    },
  },
  changeAccessPassword: {
    purpose: 'change the access password',
    parameters: ['db_name', 'password', 'access?'],
    answer: ({ account, given }) => changeAccessPassword(findDatabase(account, given.text('db_name')), given),
  },
  addDb: {
    purpose: 'create a database',
    parameters: ['db_name', 'password'],
    answer: ({ account, moment, given }) => {
      addDatabase(account, moment, { name: given.text('db_name'), password: given.text('password') });
      return true;
    },
  },
  deleteDb: {
    purpose: 'delete a database',
    parameters: ['db_name'],
    answer: ({ account, moment, given }) => {
      deleteDatabase(account, moment, given.text('db_name'));
      return true;
    },
  },
};

// A database is named by its suffix: what follows the login and an underscore.
const provider: Section = {
  getList: {
    purpose: 'list databases',
    answer: ({ account, moment }) =>
      account.databases.map((database) => ({
        name: database.name,
        size: printSize(bytesAt(database.size, moment.lived), 'provider').text,
        accesses: accessesOf(database),
      })),
  },
  addDb: {
    purpose: 'create a database',
    parameters: ['suffix', 'password'],
    answer: (call) => {
      addDatabase(call.account, call.moment, { name: suffixedName(call), password: call.given.text('password') });
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
    purpose: 'open a database to a host',
    parameters: ['suffix', 'access', 'password'],
    answer: (call) => {
      findDatabase(call.account, suffixedName(call)).accesses.set(
        call.given.text('access'),
        call.given.text('password'),
      );
      return true;
    },
  },
  dropAccess: {
    purpose: 'close a database to a host',
    parameters: ['suffix', 'access'],
    answer: (call) => {
      const access = call.given.text('access');
      if (!findDatabase(call.account, suffixedName(call)).accesses.delete(access)) {
        throw new Refusal('failed', `There is no access ${access}`);
      }
      return true;
    },
  },
  changeAccessPassword: {
    purpose: 'change the password of an access',
    parameters: ['suffix', 'access', 'password'],
    answer: (call) => changeAccessPassword(findDatabase(call.account, suffixedName(call)), call.given),
  },
};

export const mysql = { specification, provider };

function specificationRecord(database: DatabaseRecord, { moment }: Call): JsonObject {
  const size = printSize(bytesAt(database.size, moment.lived), 'specification').text;
  return { name: database.name, size, user: database.user };
}

function accessesOf(database: DatabaseRecord): readonly JsonObject[] {
  return [...database.accesses.keys()].map((name) => ({ name }));
}

function changeAccessPassword(database: DatabaseRecord, given: Call['given']): boolean {
  const access = given.optionalText('access') ?? 'localhost';
  if (!database.accesses.has(access)) {
    throw new Refusal('failed', `There is no access ${access}`);
  }
  database.accesses.set(access, given.text('password'));
  return true;
}

function suffixedName({ account, given }: Call): string {
  return `${account.login}_${given.text('suffix')}`;
}
