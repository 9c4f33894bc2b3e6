import { expect, it } from 'vitest';
import { domains } from '../../src/collectors/domains.ts';
import { linesOf } from './collected.ts';

const domain = { fqdn: 'a.example', is_subdomain: 0 };

it.each([
  ['lacks a mark', { fqdn: 'b.example' }],
  ['has the mark null', { fqdn: 'b.example', is_subdomain: null }],
])('subdomains have a list of their own if a domain %s', async (_what, unmarked) => {
  const lines = await linesOf(domains, {
    'domain/getList': { result: [domain, unmarked] },
    'domain/getSubdomainList': { result: [{ fqdn: 'x.example' }, { fqdn: 'y.example' }, { fqdn: 'z.example' }] },
  });

  expect(lines).toContain('hosting_domains{account="shop"} 2');
  expect(lines).toContain('hosting_subdomains{account="shop"} 3');
});

it('a domain whose date and flags are null has no series of expiry, renewal and control', async () => {
  const result = [{ ...domain, date_expire: null, auto_renew: null, is_under_control: null }];

  expect(await linesOf(domains, { 'domain/getList': { result } })).toEqual([
    'hosting_domains{account="shop"} 1',
    'hosting_subdomains{account="shop"} 0',
    'hosting_domain_info{account="shop",domain="a.example",registrar="",status=""} 1',
  ]);
});

it.each([
  ['pending', 1],
  ['error', 1],
  ['new status', 1],
  ['0', 0],
  [0, 0],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('a domain with the renewal %j has %i series of its status', async (status, series) => {
  const result = [{ ...domain, ...(status !== undefined && { renew_order_status: status }) }];

  const lines = await linesOf(domains, { 'domain/getList': { result } });

  expect(lines.filter((line) => line.startsWith('hosting_domain_renewal_info'))).toEqual(
    series === 0 ? [] : [`hosting_domain_renewal_info{account="shop",domain="a.example",status="${status}"} 1`],
  );
});
