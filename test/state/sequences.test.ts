import { readFileSync, renameSync, rmSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { fileNameOf } from '../../src/state/state-file.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { incarnate } from '../fixtures/restart.ts';
import { type ScriptedApi, scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const names = ['a', 'b', 'c'];

const { writeFile } = promises;

/** A step of one account, or of the process and its disk. */
type Step = readonly [(typeof accountSteps)[number], string] | readonly [(typeof processSteps)[number]];

const accountSteps = ['poll', 'poll', 'change', 'change', 'remove', 'add', 'add and change'] as const;
const processSteps = ['reload', 'half a minute', 'stop', 'kill', 'full disk', 'free disk'] as const;

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...accountSteps), fc.constantFrom(...names)) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...processSteps)) },
  ),
  { minLength: 3, maxLength: 14 },
);

/** An exporter with real files and a real API, and what its accounts have shown and must still know. */
class Trial {
  readonly #api: ScriptedApi;
  readonly #directory = join(temporaryFolder(), 'state');
  /** The configured accounts, with a setting that restarts them when it changes. */
  readonly #configured = new Map<string, number>(names.map((name) => [name, 0]));
  /** The newest figure of each account, which a removed account must show when it is added again. */
  readonly #newest = new Map<string, number>();
  /** The figures of each account that a killed process may have saved: from the one that is certainly in its file to the newest. */
  readonly #possible = new Map<string, number[]>();
  #figures = 0;
  #isFull = false;
  #exporter: Awaited<ReturnType<typeof incarnate>> | undefined;

  constructor(api: ScriptedApi) {
    this.#api = api;
  }

  async start(): Promise<void> {
    this.#exporter = await incarnate(this.#config, this.#directory);
    this.#exporter.app.start();
  }

  async take([action, account = '']: Step): Promise<void> {
    if (action === 'poll') await this.#poll(account);
    else if (action === 'reload') await this.#running.app.apply(this.#config);
    else if (action === 'half a minute') await this.#wait();
    else if (action === 'stop') await this.#stop();
    else if (action === 'kill') await this.#kill();
    else if (action === 'full disk' || action === 'free disk') this.#setFull(action === 'full disk');
    else if (action === 'add and change')
      for (const reload of ['add', 'change'] as const) await this.#reload(reload, account);
    else await this.#reload(action, account);
    await this.#check();
  }

  get #config() {
    const accounts = [...this.#configured].map(([name, settlingTime]) =>
      accountConfig({
        name,
        credentials: { kind: 'password', login: name, password: inlineSecret('secret') },
        api: { baseUrl: this.#api.baseUrl, settlingTime },
        collectors: ['databases'],
      }),
    );
    return { ...config(...accounts), stateDirectory: this.#directory };
  }

  get #running() {
    if (this.#exporter === undefined) throw new Error('not started');
    return this.#exporter;
  }

  async #poll(name: string): Promise<void> {
    const account = this.#running.app.fleet.byName.get(name);
    if (account === undefined) return;
    this.#figures += 1;
    const result = Array.from({ length: this.#figures }, (_, index) => ({ name: `base${index}`, size: '1 MB' }));
    const isPolled = async () => {
      await this.#running.idle();
      this.#api.answer('mysql/getList', { result });
      await account.pollOnce();
      this.#api.answer('mysql/getList', { status: 503 });
      return account.pollers[0]?.newest?.failures.length === 0;
    };
    // A process that was killed during its attempt to log in left a rejection, after which the next attempt has to wait.
    while (!(await isPolled())) await vi.advanceTimersByTimeAsync(5000);
    this.#newest.set(name, this.#figures);
    this.#possible.set(name, [...(this.#possible.get(name) ?? []), this.#figures]);
  }

  async #reload(action: 'change' | 'remove' | 'add', name: string): Promise<void> {
    const setting = this.#configured.get(name);
    const unsaved = action === 'remove' && this.#isFull ? this.#running.app.fleet.byName.get(name) : undefined;
    if (action === 'remove') this.#configured.delete(name);
    else if (action === 'add') this.#configured.set(name, setting ?? 0);
    else if (setting !== undefined) this.#configured.set(name, setting + 1);
    await this.#running.app.apply(this.#config);
    if (unsaved === undefined) return;
    // This save is not repeated, because the account is removed.
    await until('the failed save', () => unsaved.unsavedSince > Number.NEGATIVE_INFINITY);
    this.#expectSaved(name);
  }

  async #wait(): Promise<void> {
    await vi.advanceTimersByTimeAsync(31_000);
    if (this.#isFull) return;
    // A save that failed on the full disk is tried again half a minute after its end, which a busy machine delays.
    await until('every newest figure in its file', async () => {
      await vi.advanceTimersByTimeAsync(31_000);
      return [...this.#newest].every(([name, figure]) => this.#saved(name) === figure);
    });
    this.#forgetOlder();
  }

  async #stop(): Promise<void> {
    await this.#running.app.stop();
    if (!this.#isFull) this.#forgetOlder();
    await this.#restart();
  }

  /** What the process writes from now on is lost, and its lock stays. */
  async #kill(): Promise<void> {
    const kept = `${this.#directory}-kept`;
    renameSync(this.#directory, kept);
    await this.#running.app.stop();
    rmSync(this.#directory, { recursive: true, force: true });
    renameSync(kept, this.#directory);
    await this.#restart();
  }

  async #restart(): Promise<void> {
    for (const name of this.#possible.keys()) this.#expectSaved(name);
    this.#forgetOlder();
    await this.start();
  }

  /** From now on, the account shows the figure in its file, which must be a possible one. */
  #expectSaved(name: string): void {
    const saved = this.#saved(name);
    const isNone = saved === undefined && this.#certain.get(name) === undefined;
    if (!isNone) expect(this.#possible.get(name), `the saved figure of ${name}`).toContain(saved);
    if (saved === undefined) this.#newest.delete(name);
    else this.#newest.set(name, saved);
  }

  /** Figures that are certainly in a file. */
  readonly #certain = new Map<string, number>();

  #forgetOlder(): void {
    this.#possible.clear();
    for (const [name, figure] of this.#newest) {
      this.#possible.set(name, [figure]);
      this.#certain.set(name, figure);
    }
  }

  /** No file can be written on a full disk, but files can be read. */
  #setFull(isFull: boolean): void {
    this.#isFull = isFull;
    setDisk(isFull ? () => Promise.reject(new Error('ENOSPC: no space left on device, write')) : writeFile);
  }

  /** The figure in the file of an account. */
  #saved(name: string): number | undefined {
    try {
      const content = gunzipSync(readFileSync(join(this.#directory, fileNameOf(name)))).toString();
      return JSON.parse(content).collectors.databases.results['']?.payload.length;
    } catch {
      return undefined;
    }
  }

  /** Each account shows its newest figure, or none if it never had one. */
  async #check(): Promise<void> {
    for (const account of this.#configured.keys()) {
      const expected = this.#newest.get(account);
      await until(
        `${account} shows ${expected}`,
        async () => {
          expect(await this.#running.value('hosting_databases', { account }), account).toBe(expected);
          return true;
        },
        10_000,
      );
    }
  }
}

function setDisk(write: typeof writeFile): void {
  promises.writeFile = write;
  syncBuiltinESMExports();
}

afterEach(() => setDisk(writeFile));

it('no sequence of polls, reloads, kills, stops and full disks loses a figure that must be saved', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      fakeClock('2026-06-03T12:00:00Z');
      setDisk(writeFile);
      const trial = new Trial(await scriptedApi({ 'mysql/getList': { status: 503 } }));
      await trial.start();

      for (const one of sequence) await trial.take(one);
    }),
    {
      numRuns: 10,
      // Each run takes up to a second, so a smaller example is not searched.
      endOnFailure: true,
      examples: [
        [[['poll', 'a'], ['change', 'a'], ['stop']]],
        [[['poll', 'a'], ['remove', 'a'], ['add', 'a'], ['half a minute'], ['kill']]],
        [[['poll', 'a'], ['full disk'], ['half a minute'], ['free disk'], ['half a minute'], ['kill']]],
        [[['poll', 'a'], ['full disk'], ['remove', 'a'], ['free disk'], ['half a minute'], ['add', 'a']]],
        [[['poll', 'a'], ['remove', 'a'], ['stop'], ['add and change', 'a']]],
        [[['poll', 'a'], ['remove', 'a'], ['reload'], ['stop'], ['add', 'a'], ['kill']]],
      ],
    },
  );
});
