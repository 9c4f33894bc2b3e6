import { expect, it, onTestFinished, vi } from 'vitest';
import { type Overview, readOverview } from '../../../src/pages/view/overview.ts';
import { viewedAccount } from '../../fixtures/viewed-account.ts';

const now = Date.now();

function withDisk(name: string, percent: number) {
  const figures = [
    ['hosting_account_disk_usage_bytes', percent],
    ['hosting_account_disk_limit_bytes', 100],
  ] as const;
  return viewedAccount({ name, figures: { account: figures }, lastSuccess: now });
}

const requestOf = (query = '') => new URLSearchParams(query);

const namesOf = ({ accounts }: Overview) => accounts.map(({ name }) => name);

it('lists the most urgent accounts first, then by name', async () => {
  const accounts = [
    withDisk('site 10', 10),
    withDisk('site 9', 10),
    withDisk('b', 86),
    viewedAccount({ name: 'new', polled: false }),
    withDisk('a', 87),
    viewedAccount({ name: 'down', failures: { account: { reason: 'network', message: '', accepted: false } } }),
    withDisk('z', 99),
  ];

  const overview = await readOverview(accounts, requestOf(), now);

  expect(namesOf(overview)).toEqual(['z', 'a', 'b', 'down', 'new', 'site 9', 'site 10']);
  expect(overview.counts).toEqual({ critical: 1, warning: 2, failing: 1, partly: 0, waiting: 1, ok: 2 });
});

it('knows an outage if the API fails for most of at least two accounts, for one cause', async () => {
  const down = (name: string, status = 500, nextAttempt = 900) =>
    viewedAccount({
      name,
      failures: { account: { reason: 'http', status, message: '', accepted: false } },
      nextAttempt,
    });
  const outageOf = async (...accounts: readonly ReturnType<typeof down>[]) =>
    (await readOverview(accounts, requestOf(), now)).outage;
  const fine = withDisk('fine', 10);

  const outage = { cause: { reason: 'http', status: 500 }, accounts: 2, nextAttempt: 900 };
  expect(await outageOf(down('a'), down('b'))).toEqual(outage);
  expect(await outageOf(down('a'), down('b', 500, 800))).toMatchObject({ nextAttempt: 800 });
  expect(await outageOf(down('a'), fine, down('b'))).toEqual(outage);
  expect(await outageOf(down('a'), fine)).toBeUndefined();
  expect(await outageOf(down('a'))).toBeUndefined();
  expect(await outageOf(down('a'), down('b', 502))).toBeUndefined();
  expect(await outageOf()).toBeUndefined();
});

it('orders accounts of one state by the time at which they hurt, then by name', async () => {
  const expiring = (name: string, days: number) => {
    const domains = [
      ['hosting_domain_expiry_timestamp_seconds', now / 1000 + days * 86_400, { domain: name }],
    ] as const;
    return viewedAccount({ name, figures: { domains }, lastSuccess: now });
  };
  const accounts = [
    expiring('a tomorrow', 1.5),
    expiring('c today', 0.2),
    expiring('b today', 0.2),
    expiring('z expired', -3),
  ];

  const overview = await readOverview(accounts, requestOf(), now);

  expect(namesOf(overview)).toEqual(['z expired', 'b today', 'c today', 'a tomorrow']);
});

it('finds accounts by part of their name, in any case and script, with or without blanks around it', async () => {
  const accounts = ['Магазин', 'shop-one', 'SHOP-two', 'blog'].map((name) => withDisk(name, 10));

  const found = async (search: string) => namesOf(await readOverview(accounts, requestOf(`q=${search}`), now));

  expect(await found('+ShOp+')).toEqual(['shop-one', 'SHOP-two']);
  expect(await found('МАГ')).toEqual(['Магазин']);
  expect(await found('nothing')).toEqual([]);
});

it('sorts by each column and back, with unknown figures last', async () => {
  const known = (name: string, figure: number) =>
    viewedAccount({
      name,
      lastSuccess: now,
      figures: {
        account: [
          ['hosting_account_disk_usage_bytes', figure],
          ['hosting_account_disk_limit_bytes', 100],
          ['hosting_account_load_limit', 100],
          ['hosting_account_block_timestamp_seconds', now / 1000 + figure * 86_400],
        ],
        site_load: [['hosting_site_load_average', figure, { site_id: '1' }]],
        domains: [['hosting_domain_expiry_timestamp_seconds', now / 1000 + figure * 86_400, { domain: name }]],
        backups: [['hosting_backup_last_timestamp_seconds', now / 1000 + figure, { kind: 'files' }]],
      },
    });
  const accounts = [known('b', 50), viewedAccount({ name: 'unknown' }), known('c', 70), known('a', 60)];
  const sorted = async (sort: string) =>
    namesOf(await readOverview(accounts, requestOf(`sort=${sort}`), now)).join(' ');

  for (const column of ['disk', 'load']) {
    expect([await sorted(column), await sorted(`-${column}`)], column).toEqual(['c a b unknown', 'b a c unknown']);
  }
  for (const column of ['paid', 'domain', 'backup']) {
    expect([await sorted(column), await sorted(`-${column}`)], column).toEqual(['b a c unknown', 'c a b unknown']);
  }
  expect([await sorted('account'), await sorted('-account')]).toEqual(['a b c unknown', 'unknown c b a']);
});

it('keeps the accounts of a group together on the pages', async () => {
  const labels = (index: number) => ({ customer: index % 2 === 0 ? 'even' : 'odd' });
  const accounts = Array.from({ length: 150 }, (_, index) =>
    viewedAccount({ name: `a${index}`, labels: labels(index) }),
  );

  const { accounts: shown, groupSizes } = await readOverview(accounts, requestOf(), now);

  expect(shown.map(({ labels }) => labels['customer'])).toEqual([...Array(75).fill('even'), ...Array(25).fill('odd')]);
  expect([...groupSizes]).toEqual([
    ['even', 75],
    ['odd', 75],
  ]);
});

it('counts the accounts that the search finds', async () => {
  const accounts = [withDisk('a', 99), withDisk('b', 10)];

  const overview = await readOverview(accounts, requestOf('q=b'), now);

  expect(overview).toMatchObject({ total: 2, found: [{ name: 'b' }], pages: 1, counts: { critical: 0, ok: 1 } });
});

it.each([
  [1, 1, 'a000', 100],
  [3, 3, 'a200', 50],
  [99, 3, 'a200', 50],
])('shows for page %d of 250 accounts page %d', async (page, shown, first, count) => {
  const accounts = Array.from({ length: 250 }, (_, index) => withDisk(`a${String(index).padStart(3, '0')}`, 10));

  const overview = await readOverview(accounts, requestOf(`page=${page}`), now);

  expect(overview).toMatchObject({ page: shown, pages: 3 });
  expect(namesOf(overview)).toHaveLength(count);
  expect(namesOf(overview)[0]).toBe(first);
});

it.each([
  [0, 0, 3],
  [10, 90, 110],
])('lets other work run every ten milliseconds, if an account takes %i ms', async (step, least, most) => {
  let time = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += step;
    return time;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const accounts = Array.from({ length: 100 }, (_, index) => withDisk(`a${index}`, 10));
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);

  await readOverview(accounts, requestOf(), now);
  clearImmediate(immediate);

  expect(turns).toBeGreaterThanOrEqual(least);
  expect(turns).toBeLessThanOrEqual(most);
});
