import { createServer } from 'node:http';
import { listen } from './listen.ts';

// An API whose lists are very long. Argument: number of elements of each list.

const count = Number(process.argv[2]);
const name = (index: number) => `shop-${index + 1}.example`;
const lists: Readonly<Record<string, (index: number) => unknown>> = {
  'site/getList': (id) => ({ id, name: name(id), is_frozen: 0, domains: [{ fqdn: name(id), php_version: '8.3' }] }),
  'stat/getSitesListLoad': (id) => ({ id, name: name(id), load: (id * 7919) % 1000 }),
  'mysql/getList': (index) => ({
    name: `u12345_${index}`,
    size: `${(index * 7919) % 1000} MB`,
    user: `u12345_${index}`,
  }),
  'domain/getList': (index) => ({
    fqdn: name(index),
    date_expire: '2030-01-01',
    auto_renew: 1,
    is_subdomain: 0,
    registrar: 'REG',
    registrar_status: 'ok',
  }),
};
const bodies = new Map(
  Object.entries(lists).map(([method, element]) => [
    method,
    JSON.stringify({ status: 'success', result: Array.from({ length: count }, (_, index) => element(index)) }),
  ]),
);
const refusal = JSON.stringify({ status: 'error', error_code: 'NO_SUCH_METHOD', error_text: '' });

listen(
  createServer(({ url = '' }, response) => {
    const method = url.replace(/\?.*/, '').split('/').slice(-2).join('/');
    response.end(bodies.get(method) ?? refusal);
  }),
);
