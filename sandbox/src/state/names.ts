import { isIP, isIPv6, SocketAddress } from 'node:net';
import { toASCII, toUnicode } from 'tr46';
import { Refusal } from '../refusal.ts';

/** Options for the maximum lengths of DNS, and for the bidi and joiner rules of internationalized names. */
const lengths = { checkBidi: true, checkJoiners: true, verifyDNSLength: true };

const options = { ...lengths, checkHyphens: true };

const plainLabel = '(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** Matches names that are the same in punycode and in Unicode. For these names, the slow conversion is skipped. */
const plainName = new RegExp(`^(?=.{1,253}$)${plainLabel}(?:\\.${plainLabel})*$`);

/**
 * The name in lower case and punycode, as in DNS. Labels may contain underscores, and the first label may be `*`. Undefined for other
 * texts, such as a name with a port or a path.
 */
function zoneName(text: string): string | undefined {
  if (plainName.test(text)) return text;
  const name = toASCII(text, options) ?? '';
  return /^(?:\*|[a-z0-9_-]+)(?:\.[a-z0-9_-]+)*$/.test(name) ? name : undefined;
}

/** Like `zoneName`, but for host names, which contain only letters, digits and inner hyphens. */
function hostName(text: string): string | undefined {
  const name = zoneName(text);
  return name === undefined || /[_*]/.test(name) ? undefined : name;
}

/** The name of a host in lower case and punycode. Throws a Refusal for any other text. */
export function readHostName(text: string): string {
  const name = hostName(text);
  if (name === undefined) {
    throw new Refusal('invalid', 'A domain name has labels of letters, digits and hyphens, separated by dots');
  }
  return name;
}

/** The name of a DNS zone in lower case and punycode, such as `_acme-challenge.site.example`. Throws a Refusal for any other text. */
export function readZoneName(text: string): string {
  const name = zoneName(text);
  if (name === undefined) {
    throw new Refusal('invalid', 'A name has labels of letters, digits, hyphens and underscores; the first may be *');
  }
  return name;
}

/** Whether two names are equal. Ignores case, and treats Unicode and punycode as equal. */
export function isSameName(one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => zoneName(name) ?? name.toLowerCase());
  return first === second;
}

export function unicodeName(name: string): string {
  return plainName.test(name) ? name : toUnicode(name, options).domain;
}

/** Whether the text is a valid target of a DNS record. Unlike a domain, a target may contain underscores and end with a dot. */
export function isTargetName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  return /^[\p{L}\p{M}\p{N}._-]+$/u.test(name) && toASCII(name, lengths) !== null;
}

const localPart = /^[\p{L}\p{M}\p{N}_+-]+(?:\.[\p{L}\p{M}\p{N}_+-]+)*$/u;

/** Whether the text is valid before the @ of a mail address. */
export function isMailboxName(text: string): boolean {
  return text.length <= 64 && localPart.test(text);
}

export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && isMailboxName(local) && domain.includes('.') && hostName(domain) !== undefined;
}

/** The shortest form of an IPv6 address. Undefined if the text is not an IPv6 address, or has a zone. */
export function canonicalIpv6(text: string): string | undefined {
  return isIPv6(text) && !text.includes('%') ? new SocketAddress({ address: text, family: 'ipv6' }).address : undefined;
}

/** Whether the text is a valid host for access to a database: localhost, an IP address, a name, or * for any host. */
export function isAccessHost(text: string): boolean {
  return text === '*' || (isIP(text) > 0 && !text.includes('%')) || hostName(text) !== undefined;
}
