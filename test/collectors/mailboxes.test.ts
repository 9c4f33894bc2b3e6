import { describe, expect, it } from 'vitest';
import { mailboxes } from '../../src/collectors/mailboxes.ts';
import { linesOf } from './collected.ts';

const box = { forward_mail_status: 'no_forward', spam_filter_status: 1 };

function linesFor(domain: string, result: readonly unknown[]) {
  return linesOf(mailboxes, { 'mail/getMailboxList': { result } }, { domain });
}

describe('mailboxes', () => {
  it('of other domains in the same answer are not counted; mailboxes without a domain are counted', async () => {
    const [count] = await linesFor('shop.example', [
      { ...box, mailbox: 'a', domain: 'shop.example' },
      { ...box, mailbox: 'b@shop.example' },
      { ...box, mailbox: 'c' },
      { ...box, mailbox: 'a', domain: 'other.example' },
      { ...box, mailbox: 'd@other.example' },
    ]);

    expect(count).toBe('hosting_mailboxes{account="shop",domain="shop.example"} 3');
  });

  it('of a domain in Cyrillic letters are counted if the answer names it in punycode', async () => {
    const [count] = await linesFor('пример.example', [
      { ...box, mailbox: 'a', domain: 'xn--e1afmkfd.example' },
      { ...box, mailbox: 'b', domain: 'xn--80aswg.example' },
    ]);

    expect(count).toBe('hosting_mailboxes{account="shop",domain="пример.example"} 1');
  });

  it('without a state are only counted', async () => {
    const [known, unknown] = [{ ...box, mailbox: 'a' }, { mailbox: 'b' }];

    expect(await linesFor('shop.example', [known, unknown])).toEqual([
      'hosting_mailboxes{account="shop",domain="shop.example"} 2',
    ]);
  });

  it('are not requested for technical names and wildcards, which the API refuses', () => {
    const names = ['_acme-challenge.a.example', 'x._tcp.a.example', '*.a.example', 'www.a.example', 'a_b.a.example'];

    const items = mailboxes.items({ domains: [], subdomains: names.map((fqdn) => ({ fqdn })) });

    expect(items).toEqual([{ domain: 'www.a.example' }, { domain: 'a_b.a.example' }]);
  });

  it('need one call per domain and subdomain, or per domain if the API lists no subdomains', () => {
    const domains = [{ fqdn: 'a.example' }, { fqdn: 'b.example' }] as never;

    const withSubdomains = mailboxes.items({ domains, subdomains: [{ fqdn: 'www.a.example' }] });
    const without = mailboxes.items({ domains, subdomains: undefined });

    expect(withSubdomains).toEqual([{ domain: 'a.example' }, { domain: 'b.example' }, { domain: 'www.a.example' }]);
    expect(without).toEqual([{ domain: 'a.example' }, { domain: 'b.example' }]);
  });
});
