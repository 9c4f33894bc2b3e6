import { expect, test } from 'vitest';
import { accountInfo } from '../../../src/payloads/account-info.ts';
import { databaseList } from '../../../src/payloads/database-list.ts';
import { scalarsFor } from '../../../src/payloads/scalars.ts';

const scalars = scalarsFor({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' });

test.each([[''], [null], [undefined]])('reads the user %j as missing', (user) => {
  const list = databaseList(scalars).parse([{ name: 'shop_main', size: '1 GB', user }]);

  expect(list).toEqual([{ name: 'shop_main', size: 1_000_000_000, user: undefined }]);
});

test('accepts an empty server name', () => {
  const info = accountInfo(scalars).parse({ plan_name: 'Great', server_name: '', user_quota: 1 });

  expect(info).toMatchObject({ plan: 'Great', server: '', diskUsage: 1_000_000 });
});
