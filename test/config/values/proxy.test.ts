import { expect, it } from 'vitest';
import { proxyOf, proxyProblems, proxyWarnings } from '../../../src/config/values/proxy.ts';

type Environment = Readonly<Record<string, string>>;

const message =
  'is not the URL of a proxy; write one such as http://proxy.example.com:3128, without a path and with special characters of user and password encoded, or unset it';

it.each<[Environment, readonly string[]]>([
  [{}, []],
  [{ HTTPS_PROXY: '' }, []],
  [{ HTTPS_PROXY: 'http://proxy.example.com:3128' }, []],
  [{ HTTP_PROXY: 'proxy.example.com:3128' }, []],
  [{ HTTP_PROXY: 'user:pass@10.0.0.1:3128', https_proxy: '[::1]:3128' }, []],
  [{ HTTPS_PROXY: 'socks5://proxy.example.com' }, []],
  [{ HTTPS_PROXY: 'http://DOMAIN%5Cuser:hunter2@proxy.example/' }, []],
  [{ HTTPS_PROXY: 'http://DOMAIN\\user:hunter2@proxy.example' }, ['HTTPS_PROXY']],
  [{ HTTPS_PROXY: 'http://proxy.example/path' }, ['HTTPS_PROXY']],
  [{ HTTPS_PROXY: 'hunter2@' }, ['HTTPS_PROXY']],
  [{ HTTPS_PROXY: 'http://us%er:hunter2@proxy.example' }, ['HTTPS_PROXY']],
  [{ https_proxy: 'ftp://proxy', HTTP_PROXY: 'a proxy' }, ['https_proxy', 'HTTP_PROXY']],
  [{ https_proxy: 'http://proxy.example.com:3128', HTTPS_PROXY: 'a proxy' }, []],
])('a proxy in %j has problems in the variables %j, without their values', (environment, names) => {
  expect(proxyProblems(environment)).toEqual(names.map((source) => ({ source, message })));
});

it.each<[Environment, readonly string[]]>([
  [{ NO_PROXY: '10.0.0.0/8' }, []],
  [{ HTTPS_PROXY: 'proxy.example', NO_PROXY: '*.example.com, .example.org 10.0.0.1' }, []],
  [{ HTTPS_PROXY: 'proxy.example', NO_PROXY: '10.0.0.0/8,localhost' }, ['NO_PROXY: contains a network']],
  [{ HTTPS_PROXY: 'proxy.example', no_proxy: '192.168.*' }, ['no_proxy: contains a network or a pattern']],
])('a proxy in %j causes warnings', (environment, starts) => {
  expect(proxyWarnings(environment)).toEqual(starts.map((start) => expect.stringContaining(start)));
});

it.each<[Environment, string, string]>([
  [{ HTTP_PROXY: 'proxy.example:3128' }, 'HTTP_PROXY', 'http://proxy.example:3128'],
  [{ HTTP_PROXY: 'other', http_proxy: ' https://proxy.example ' }, 'http_proxy', 'https://proxy.example'],
  [{ HTTPS_PROXY: 'proxy.example:3128' }, 'HTTP_PROXY', ''],
])('a proxy in %j comes from %s and has the URL %j', (environment, name, url) => {
  expect(proxyOf(environment, 'http')).toEqual({ name, url });
});
