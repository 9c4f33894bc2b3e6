import { expect, test } from 'vitest';
import { accountInfo } from '../../../src/payloads/account-info.ts';
import { databaseList } from '../../../src/payloads/database-list.ts';

const notation = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' } as const;

test.each([[''], [null], [undefined]])('reads the user %j as missing', (user) => {
  const list = databaseList(notation).parse([{ name: 'shop_main', size: '1 GB', user }]);

  expect(list).toEqual([{ name: 'shop_main', size: 1_000_000_000, user: undefined }]);
});

test('accepts an empty server name', () => {
  const info = accountInfo(notation).parse({ plan_name: 'Great', server_name: '', user_quota: 1 });

  expect(info).toMatchObject({ plan: 'Great', server: '', diskUsage: 1_000_000 });
});
