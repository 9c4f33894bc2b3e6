import { describe, expect, it } from 'vitest';
import { normalizeBaseUrl, validateBaseUrl } from '../../../src/config/values/validators.ts';

const unencrypted = 'sends the password unencrypted; use https:// (http:// is allowed for localhost only)';

describe('the URL of an API', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.0',
    '127.255.255.255',
    '127.1',
    '0x7f000001',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
  ])('may be unencrypted for the loopback address %s', (host) => {
    expect(validateBaseUrl(`http://${host}:8080/api`)).toBeUndefined();
  });

  it.each([
    'api.example.com',
    'localhost.example.com',
    'example.localhost',
    '127.0.0.1.example.com',
    '127.example.com',
    '126.255.255.255',
    '128.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '93.184.216.34',
    '[::]',
    '[::2]',
    '[fe80::1]',
    '[fd00::1]',
    '[2001:db8::1]',
    '[::ffff:127.0.0.1]',
  ])('must be encrypted for %s', (host) => {
    expect(validateBaseUrl(`http://${host}/api`)).toBe(unencrypted);
    expect(validateBaseUrl(`https://${host}/api`)).toBeUndefined();
  });

  it.each([
    ['api.example.com/api', 'is not a URL'],
    ['ftp://localhost/api', 'is not a URL'],
    ['xhttps://localhost/api', 'is not a URL'],
    ['', 'is not a URL'],
    [' https://api.example.com', 'contains white space'],
    ['https://api.example.com/api\n', 'contains white space'],
    ['https://api.example.com/api/user/getAccountInfo', 'ends in a method'],
    ['https://u@api.example.com', 'contains a login or password'],
    ['https://:p@api.example.com', 'contains a login or password'],
    ['https://api.example.com/api?', 'contains a query or fragment'],
    ['https://api.example.com/api#x', 'contains a query or fragment'],
  ])('is not %j', (text, problem) => {
    expect(validateBaseUrl(text)).toContain(problem);
  });

  it.each([
    ['https://API.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com:443/a/b//', 'https://api.example.com/a/b'],
    ['http://localhost:81/api', 'http://localhost:81/api'],
  ])('%s becomes %s, to which methods are appended', (text, normalized) => {
    expect(normalizeBaseUrl(text)).toBe(normalized);
  });
});
