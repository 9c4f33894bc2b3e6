import { isUtf8 } from 'node:buffer';
import { hash as sha256 } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import PQueue from 'p-queue';
import { validateSecret } from '../../config/values/secret.ts';
import { bcryptCost } from '../config/schema.ts';

export const hashPassword = async (password: string, cost: number) => (await import('bcryptjs')).hash(password, cost);

/** `busy`: the password was not compared, because too many other logins wait. */
type LoginOutcome = 'accepted' | 'refused' | 'busy';

/** Maximum number of waiting and running comparisons: for each client network, and for all networks together. */
const maxPending = { network: 8, total: 40 };

/** Maximum number of cached logins. Only accepted logins are cached, so wrong passwords cannot displace them. */
const maxAccepted = 100;

/** Compares passwords one at a time. A comparison takes 0.1 s or more, and blocks the process in steps of 0.1 s. */
export class Login {
  /** Hashes of accepted logins. The least recently used login is first. */
  readonly #accepted = new Set<string>();
  /** Waiting and running comparisons, by hash of the login. Equal logins share a comparison. */
  readonly #pending = new Map<string, { readonly network: string; readonly outcome: Promise<LoginOutcome> }>();
  readonly #queue = new PQueue({ concurrency: 1 });
  /** Milliseconds before the next comparison. The pause is as long as the previous comparison, so other requests get half of the time. */
  #rest = 0;

  /** `header`: the Authorization header. `users`: bcrypt hashes by user name; must not be empty. `address`: IP address of the client. */
  async check(header: string | undefined, users: ReadonlyMap<string, string>, address: string): Promise<LoginOutcome> {
    const { user, password } = parseBasicAuth(header) ?? {};
    if (user === undefined || password === undefined) return 'refused';
    const hash = users.get(user);
    // JSON separates the fields, so different logins have different keys (CVE-2022-46146).
    const key = sha256('sha256', JSON.stringify([user, password, hash]));
    if (this.#accepted.delete(key)) {
      this.#accepted.add(key);
      return 'accepted';
    }
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending.outcome;
    const network = clientNetwork(address);
    const own = [...this.#pending.values()].filter((login) => login.network === network).length;
    if (own >= maxPending.network || this.#pending.size >= maxPending.total) return 'busy';
    const comparison = async () => {
      await pause(this.#rest);
      const started = performance.now();
      // To prevent user enumeration by timing, compare the password of an unknown user with the hash of another user. Use the cheapest
      // hash, so that a client without a valid user name cannot cause expensive comparisons.
      const [cheapest = ''] = [...users.values()].toSorted((one, other) => bcryptCost(one) - bcryptCost(other));
      const isEqual = await (await import('bcryptjs')).compare(password, hash ?? cheapest);
      this.#rest = performance.now() - started;
      this.#pending.delete(key);
      if (!isEqual || hash === undefined) return 'refused';
      this.#accepted.add(key);
      const [oldest = ''] = this.#accepted;
      if (this.#accepted.size > maxAccepted) this.#accepted.delete(oldest);
      return 'accepted';
    };
    // Networks take turns: the more logins of a network wait, the lower is the priority of its next login.
    const outcome = this.#queue.add(comparison, { priority: -own });
    this.#pending.set(key, { network, outcome });
    return outcome;
  }
}

/** Parses an Authorization header of the scheme Basic; undefined for any other header, and for bytes that are not UTF-8. */
export function parseBasicAuth(header: string | undefined) {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '') ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const [, user, password] = /^([^:]*):(.*)$/s.exec(bytes.toString('utf8')) ?? [];
  return user === undefined || password === undefined || !isUtf8(bytes) ? undefined : { user, password };
}

/** Identifies a client by its IPv4 address, or by its IPv6 network (about a /64), because one host has many IPv6 addresses. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  return [...address.replace(/::.*/, '').split(':'), '0', '0', '0'].slice(0, 4).join(':');
}

/** Maximum length of a password in bytes. bcrypt ignores all further bytes. */
const maxPasswordLength = 72;

export function validatePassword(password: string): string | undefined {
  const failure = password.includes('\0')
    ? 'contains a null character; remove it'
    : validateSecret(password, 'password');
  if (failure !== undefined) return `the password ${failure}`;
  const length = Buffer.byteLength(password);
  if (length <= maxPasswordLength) return undefined;
  return `the password has ${length} bytes, of which bcrypt uses only ${maxPasswordLength}; shorten it`;
}
