import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

export type SubstituteKind = 'domain' | 'mail address' | 'IP address' | 'path' | 'name' | 'text' | 'number';

/** Names of the local machine. Recordings keep them, because the exporter does not count them as remote hosts, and they identify no one. */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** A word: letters and digits in any script. A domain label in punycode is one word. */
const words = /xn--[a-z0-9-]+|(?:(?!\s)[a-z0-9\u0080-\u{10ffff}])+/giu;
/** Matches names, domains, mail addresses and paths. */
const structured = /^(?:(?!\s)[\w.@/*~:%+\u0080-\u{10ffff}-])+$/u;

/** The folder that the exporter removes from the path of a site. */
const publicFolder = /((?<=^|\/)public_html(?=\/|$))/;

/**
 * Replaces names. Equal words get equal substitutes, so `www.example.com` and `/home/example.com` keep the same domain. A text that does
 * not match `structured` gets one substitute as a whole, because it could contain a password.
 */
export class Substitutes {
  readonly #words = new Map<string, string>();
  /** The number of each word. The keys are in lower case. */
  readonly #numbers = new Map<string, number>();
  readonly #used = new Set<string>();
  readonly #replaced = new Map<SubstituteKind, Map<unknown, number>>();

  /** Number of different values that are replaced, by kind. */
  get counts(): ReadonlyMap<SubstituteKind, number> {
    return new Map([...this.#replaced].map(([kind, values]) => [kind, values.size]));
  }

  textFor(text: string): string {
    if (text === '' || localHosts.has(text.toLowerCase())) return text;
    const version = isIP(text);
    if (version !== 0) return addressFor(version, this.#count('IP address', text));
    if (!structured.test(text)) return `text ${this.#count('text', text)}`;
    const parts = text.split(publicFolder).map((part) => (publicFolder.test(part) ? part : this.#replaceWords(part)));
    const substitute = parts.join('');
    if (substitute !== text) this.#count(kindOf(text), text);
    return substitute;
  }

  numberFor(number: number): number {
    return this.#count('number', number);
  }

  #count(kind: SubstituteKind, value: unknown): number {
    const values = this.#replaced.get(kind) ?? new Map<unknown, number>();
    this.#replaced.set(kind, values);
    return numberOf(value, values);
  }

  #replaceWords(text: string): string {
    return text.replace(words, (found) => {
      if (!/^xn--/i.test(found)) return this.#wordFor(found);
      const label = domainToUnicode(found);
      return /^(?:xn--|$)/i.test(label) ? this.#wordFor(found) : domainToASCII(this.#replaceWords(label));
    });
  }

  /** Keeps the script and the case of a word, because the API and the exporter may depend on them. */
  #wordFor(found: string): string {
    const known = this.#words.get(found);
    if (known !== undefined) return known;
    const lower = found.toLowerCase();
    const number = numberOf(lower, this.#numbers);
    const base = /^[\x21-\x7e]+$/.test(found) ? `name${number}` : `имя${number}`;
    const capitalized = base.charAt(0).toUpperCase() + base.slice(1);
    const cased = found === lower ? base : found === found.toUpperCase() ? base.toUpperCase() : capitalized;
    // Two spellings of a word with different capital letters must not get the same substitute.
    const substitute = this.#used.has(cased) ? `${base}x${this.#used.size}` : cased;
    this.#used.add(substitute);
    this.#words.set(found, substitute);
    return substitute;
  }
}

/** Numbers the keys in the order of their first appearance. */
function numberOf<Key>(key: Key, numbers: Map<Key, number>): number {
  const number = numbers.get(key) ?? numbers.size + 1;
  numbers.set(key, number);
  return number;
}

function kindOf(text: string): SubstituteKind {
  if (text.includes('@')) return 'mail address';
  if (/[/~]/.test(text)) return 'path';
  return text.includes('.') ? 'domain' : 'name';
}

/** Returns an address that is reserved for documentation or tests. */
function addressFor(version: number, number: number): string {
  if (version === 6) return `2001:db8::${number.toString(16)}`;
  return `198.${18 + Math.floor(number / 65_536)}.${Math.floor(number / 256) % 256}.${number % 256}`;
}
