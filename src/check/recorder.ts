import { isUtf8 } from 'node:buffer';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnsweredCall, AnswerObserver } from '../api/session.ts';
import { type HttpResponse, TransportError } from '../api/transport.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { type ConfigError, writeError } from '../config/values/config-error.ts';
import { secretOf } from '../config/values/secret.ts';
import { type RecordedCall, shiftHttpDate } from '../sandbox/recording.ts';
import { anonymize } from './anonymize.ts';
import { Substitutes } from './substitutes.ts';

type Answer = Omit<RecordedCall, 'method' | 'parameters'>;

/** Saves each answer of the API without names, addresses, texts and secrets. It is safe to publish the files. */
export class Recorder {
  readonly folder: string;
  readonly substitutes = new Substitutes();
  /** Fields that the documentation does not name. The recording replaces the names of these fields, too. */
  readonly unknownFields = new Set<string>();
  answers = 0;
  /** Number of answers that are left out because they contained a secret. */
  withSecret = 0;
  #failure: ConfigError | undefined;
  readonly #shift: number;
  readonly #accounts: object[] = [];

  /** Creates the folder. Throws ConfigError if the folder is not writable or not empty. */
  constructor(folder: string, shift: number) {
    this.folder = folder;
    this.#shift = shift;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (readdirSync(folder).length > 0) throw new Error('the folder is not empty; name a new one');
      chmodSync(folder, 0o700);
    } catch (error) {
      throw writeError(folder, error);
    }
  }

  forAccount(config: AccountConfig): AnswerObserver {
    const name = `account${this.#accounts.length + 1}`;
    this.#accounts.push(settingsOf(name, config));
    const secret = secretOf(config.credentials);
    let calls = 0;
    return (call, answer) => {
      calls += 1;
      const file = `${String(calls).padStart(4, '0')}-${call.method.replace('/', '-')}.json`;
      this.#attempt(() => {
        if (calls === 1) mkdirSync(join(this.folder, name), { mode: 0o700 });
        this.#write(join(name, file), this.#recorded(call, answer, secret.reveal()));
        this.answers += 1;
      });
    };
  }

  /** Writes the configuration with which the exporter reads a replay. Throws ConfigError if the recording is incomplete. */
  finish(baseUrl: string): void {
    const config = { api: { base_url: baseUrl, requests_per_minute: 600 }, accounts: this.#accounts };
    this.#attempt(() => this.#write('config.yml', config));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Keeps the first failure for `finish`, because an exception in an observer would count as a failed call. */
  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#failure ??= writeError(this.folder, error);
    }
  }

  #write(file: string, content: object): void {
    writeFileSync(join(this.folder, file), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  }

  #recorded({ method, parameters }: AnsweredCall, answer: HttpResponse | TransportError, secret: string): RecordedCall {
    const call = { method, parameters: this.#anonymize(parameters) as Record<string, string> };
    if (answer instanceof TransportError) return { ...call, failure: failureOf(answer) };
    const { status, headers, body } = answer;
    const recorded = { ...call, status, headers: this.#headersOf(headers), ...this.#bodyOf(body) };
    // Anonymization keeps a secret that looks like a number, a date or a documented word.
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
      return { body: this.#anonymize(JSON.parse(text)) as Answer['body'] };
    } catch {
      const kind = /^\s*</.test(text) ? 'html' : /^\s*[[{]/.test(text) ? 'json' : 'text';
      return { omitted: { kind, bytes: bytes.length } };
    }
  }

  #anonymize(value: unknown): unknown {
    return anonymize(value, '', {
      substitutes: this.substitutes,
      shift: this.#shift,
      onUnknownField: (name) => this.unknownFields.add(name),
    });
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
function failureOf({ reason, cause }: TransportError): RecordedCall['failure'] {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return { reason, ...(/^[A-Z][A-Z0-9_]+$/.test(code) && { code }) };
}
