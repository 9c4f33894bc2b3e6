import { isUtf8 } from 'node:buffer';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordedCall, shiftHttpDate } from '../../../sandbox/src/recording.ts';
import { ApiError } from '../../api/error.ts';
import type { AnsweredCall, AnswerObserver } from '../../api/session.ts';
import type { HttpResponse } from '../../api/transport.ts';
import type { AccountConfig } from '../../config/values/config.ts';
import { writeError } from '../../config/values/config-error.ts';
import { secretOf } from '../../config/values/secret.ts';
import { Anonymizer } from './anonymize.ts';

type Answer = Omit<RecordedCall, 'method' | 'parameters'>;

/** Collects each answer of the API without names, addresses, texts and secrets. The files are safe to publish. */
export class Recorder {
  readonly folder: string;
  readonly anonymizer: Anonymizer;
  /** Number of answers that contained a secret and are therefore left out. */
  withSecret = 0;
  readonly #shift: number;
  readonly #accounts: { readonly name: string; readonly config: AccountConfig; readonly calls: RecordedCall[] }[] = [];

  constructor(folder: string, shift: number) {
    this.folder = folder;
    this.#shift = shift;
    this.anonymizer = new Anonymizer(shift);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (readdirSync(folder).length > 0) throw new Error('the folder is not empty; name a new one');
      chmodSync(folder, 0o700);
    } catch (error) {
      throw writeError(folder, error);
    }
  }

  get answers(): number {
    return this.#accounts.flatMap(({ calls }) => calls).length;
  }

  forAccount(config: AccountConfig): AnswerObserver {
    const calls: RecordedCall[] = [];
    this.#accounts.push({ name: `account${this.#accounts.length + 1}`, config, calls });
    const { name, credentials, labels } = config;
    const login = credentials.kind === 'password' ? credentials.login : '';
    for (const text of [name, login, ...Object.values(labels)]) this.anonymizer.protect(text);
    const secret = secretOf(credentials);
    return (call, answer) => calls.push(this.#recorded(call, answer, secret.reveal()));
  }

  /** Writes the calls, and a configuration with which an exporter can poll the replayed recording. Throws ConfigError if a write fails. */
  finish(baseUrl: string): void {
    const write = (file: string, content: object) =>
      writeFileSync(join(this.folder, file), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    try {
      for (const { name, calls } of this.#accounts) {
        mkdirSync(join(this.folder, name), { mode: 0o700 });
        for (const [index, call] of calls.entries()) {
          write(`${name}/${String(index + 1).padStart(4, '0')}-${call.method.replace('/', '-')}.json`, call);
        }
      }
      const accounts = this.#accounts.map(({ name, config }) => settingsOf(name, config));
      write('config.yml', { api: { base_url: baseUrl, requests_per_minute: 600 }, accounts });
    } catch (error) {
      throw writeError(this.folder, error);
    }
  }

  #recorded({ method, parameters }: AnsweredCall, answer: HttpResponse | ApiError, secret: string): RecordedCall {
    const call = { method, parameters: this.anonymizer.anonymize(parameters) as Record<string, string> };
    if (answer instanceof ApiError) return { ...call, failure: failureOf(answer) };
    const { status, headers, body } = answer;
    const recorded = { ...call, status, headers: this.#headersOf(headers), ...this.#bodyOf(body) };
    // Omit an answer that still contains the secret: `anonymize` keeps a secret that looks like a number, a date or a documented word.
    if (!JSON.stringify(recorded).toLowerCase().includes(secret.toLowerCase())) return recorded;
    this.withSecret += 1;
    return { method, parameters: {}, status, omitted: { kind: 'secret', bytes: body.length } };
  }

  #headersOf(headers: HttpResponse['headers']): Answer['headers'] {
    const { 'content-type': type, date, 'retry-after': retryAfter } = headers;
    return {
      ...(/^[a-z]+\/[a-z.+-]+(?:; ?charset=[a-z0-9-]+)?$/i.test(String(type)) && { 'content-type': String(type) }),
      ...(!Number.isNaN(Date.parse(String(date))) && { date: shiftHttpDate(String(date), this.#shift) }),
      ...(/^\d{1,6}$/.test(String(retryAfter)) && { 'retry-after': String(retryAfter) }),
    };
  }

  #bodyOf(bytes: Uint8Array): Answer {
    const text = Buffer.from(bytes).toString();
    if (!isUtf8(bytes)) return { omitted: { kind: 'binary', bytes: bytes.length } };
    try {
      return { body: this.anonymizer.anonymize(JSON.parse(text)) as Answer['body'] };
    } catch {
      const kind = /^\s*</.test(text) ? 'html' : /^\s*[[{]/.test(text) ? 'json' : 'text';
      return { omitted: { kind, bytes: bytes.length } };
    }
  }
}

/** The settings that a replay requires. Omits everything that could identify someone, such as labels. */
function settingsOf(name: string, { api, collectors }: AccountConfig): object {
  const { sizeUnits, numberFormat, timeZone, inputFormat } = api;
  return {
    ...{ name, login: name, password: 'any' },
    api: { size_units: sizeUnits, number_format: numberFormat, time_zone: timeZone, input_format: inputFormat },
    collectors: Object.fromEntries(Object.entries(collectors).map(([key, { enabled }]) => [key, { enabled }])),
  };
}

/** Omits the message of the error, because it may contain addresses and names. */
function failureOf({ reason, cause }: ApiError): RecordedCall['failure'] {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return { reason, ...(/^[A-Z][A-Z0-9_]+$/.test(code) && { code }) };
}
