import { isIP, isIPv6, SocketAddress } from 'node:net';
import { toASCII, toUnicode } from 'tr46';
import { Refusal } from '../refusal.ts';

/** Options that check the lengths that DNS allows, and the bidi and joiner rules of internationalized names. */
const lengths = { checkBidi: true, checkJoiners: true, verifyDNSLength: true };

/** Options that also allow only letters, digits and inner hyphens in labels. */
const strict = { ...lengths, checkHyphens: true, useSTD3ASCIIRules: true };

/** The domain name in lower case and punycode, as in DNS. Undefined for any other text, such as a name with a port or a path. */
export function asciiName(text: string): string | undefined {
  return toASCII(text, strict) ?? undefined;
}

/** Like `asciiName`, but throws a Refusal if the text is not a domain name. */
export function readName(text: string): string {
  const name = asciiName(text);
  if (name === undefined) {
    throw new Refusal('invalid', 'A domain name has labels of letters, digits and hyphens, separated by dots');
  }
  return name;
}

/** Whether two names are equal: case and punycode do not matter. */
export function isSameName(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(name: string): string {
  return asciiName(name) ?? name.toLowerCase();
}

/** The name with its labels in Unicode. */
export function unicodeName(name: string): string {
  return toUnicode(name, strict).domain;
}

/** Whether the text is a valid target of a DNS record: a name that may end with a dot and, unlike a domain, contain underscores. */
export function isTargetName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  return /^[\p{L}\p{M}\p{N}._-]+$/u.test(name) && toASCII(name, lengths) !== null;
}

const localPart = /^[\p{L}\p{M}\p{N}_+-]+(?:\.[\p{L}\p{M}\p{N}_+-]+)*$/u;

/** Whether the text can be the part of a mail address before the @. */
export function isMailboxName(text: string): boolean {
  return text.length <= 64 && localPart.test(text);
}

export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && isMailboxName(local) && domain.includes('.') && asciiName(domain) !== undefined;
}

/** The shortest form of an IPv6 address. Undefined if the text is not an IPv6 address, or has a zone. */
export function canonicalIpv6(text: string): string | undefined {
  return isIPv6(text) && !text.includes('%') ? new SocketAddress({ address: text, family: 'ipv6' }).address : undefined;
}

/** Whether the text is a valid host for access to a database: localhost, an IP address, a name, or % for any host. */
export function isAccessHost(text: string): boolean {
  return text === '%' || (isIP(text) > 0 && !text.includes('%')) || asciiName(text) !== undefined;
}
