import { describe, expect, it } from 'vitest';
import { proxyOf, proxyProblems } from '../../../../src/config/values/proxy.ts';

type Environment = Readonly<Record<string, string>>;

const message = 'is not the URL of a proxy; write one such as http://proxy.example.com:3128, or unset it';

describe('a proxy', () => {
  it.each<[Environment, readonly string[]]>([
    [{}, []],
    [{ HTTPS_PROXY: '' }, []],
    [{ HTTPS_PROXY: 'http://proxy.example.com:3128' }, []],
    [{ HTTP_PROXY: 'proxy.example.com:3128' }, []],
    [{ HTTP_PROXY: 'user:pass@10.0.0.1:3128', https_proxy: '[::1]:3128' }, []],
    [{ HTTPS_PROXY: 'socks5://proxy.example.com' }, []],
    [{ HTTPS_PROXY: 'hunter2@' }, ['HTTPS_PROXY']],
    [{ HTTPS_PROXY: 'http://us%er:hunter2@proxy.example' }, ['HTTPS_PROXY']],
    [{ https_proxy: 'ftp://proxy', HTTP_PROXY: 'a proxy' }, ['https_proxy', 'HTTP_PROXY']],
    [{ https_proxy: 'http://proxy.example.com:3128', HTTPS_PROXY: 'a proxy' }, []],
  ])('in %j has problems in the variables %j, without their values', (environment, names) => {
    expect(proxyProblems(environment)).toEqual(names.map((source) => ({ source, message })));
  });

  it.each<[Environment, string, string]>([
    [{ HTTP_PROXY: 'proxy.example:3128' }, 'HTTP_PROXY', 'http://proxy.example:3128'],
    [{ HTTP_PROXY: 'other', http_proxy: ' https://proxy.example ' }, 'http_proxy', 'https://proxy.example'],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'HTTP_PROXY', ''],
  ])('in %j comes from %s and has the URL %j', (environment, name, url) => {
    expect(proxyOf(environment, 'http')).toEqual({ name, url });
  });
});
