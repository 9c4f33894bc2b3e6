import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII, domainToUnicode } from 'node:url';
import { expect, it } from 'vitest';
import type { AccountSeed } from '../../../sandbox/src/accounts/account-seed.ts';
import { demoAccounts } from '../../../sandbox/src/accounts/demo-accounts.ts';
import { shop } from '../../../sandbox/src/accounts/shop.ts';
import { type FaultKind, faultKinds } from '../../../sandbox/src/faults/fault.ts';
import { startReplay } from '../../../sandbox/src/replay.ts';
import type { Sandbox } from '../../../sandbox/src/server.ts';
import { dialects } from '../../../src/api/method.ts';
import type { AccountResult } from '../../../src/cli/check/check.ts';
import { run } from '../../../src/cli/run.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { onlyCollectors } from '../../fixtures/budgeted-accounts.ts';
import { cleanups } from '../../fixtures/cleanups.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { accountSettings, writeSettings } from '../../fixtures/program.ts';
import { openSandbox } from '../../fixtures/sandbox.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { type ParsedSample, parsePage } from '../../oracle/exposition.ts';

const everyCollector = Object.fromEntries(collectors.map(({ name }) => [name, { enabled: true }]));

/** A sandbox whose clock stands still at noon, so that two polls see the same figures. */
async function startSandboxAtNoon(dialect: 'specification' | 'provider'): Promise<Sandbox> {
  const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000;
  const sandbox = await openSandbox({ dialect, speed: 0, clock: { now: () => noon } }, cleanups);
  return sandbox;
}

function configure({ baseUrl }: Pick<Sandbox, 'baseUrl'>, settings: object, api: object = {}): string {
  return writeSettings(cleanups, { ...settings, api: { base_url: baseUrl, requests_per_minute: 60_000, ...api } });
}

/** Records with `check`, and returns the folder and what was printed. */
async function record(configFile: string, flags: readonly string[] = []) {
  const folder = join(temporaryFolder(cleanups), 'recording');
  const context = recordedContext();
  await run(['check', `--config.file=${configFile}`, `--record=${folder}`, ...flags], context);
  return { folder, ...context.printed };
}

/** The name and the content of all files of a recording, as one text. */
function textOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return [...entries.map(({ name }) => name), ...texts].join('\n');
}

async function once(configFile: string): Promise<string> {
  const context = recordedContext();
  await run(['once', `--config.file=${configFile}`, '--log.level=error'], context);
  expect(context.printed.stderr).toBe('');
  return context.printed.stdout;
}

/** Replays a recording. Returns the path of the configuration that the recording contains, with the address of the replay. */
async function replayConfig(folder: string, api: object = {}): Promise<string> {
  const replay = await startReplay({ folder, port: 0 });
  cleanups.add(() => replay.close());
  return configure(replay, JSON.parse(readFileSync(join(folder, 'config.yml'), 'utf8')), api);
}

/** Words that are part of the documentation or of the recording's own names. A name that is one of them reveals nothing. */
const documented = new Set(
  [
    ...collectors.flatMap(({ name, methods }) => [name, ...methods]),
    'text html json plain charset utf error success account unlimited mailbox domain public html mail default php cgi info',
    'application database databases backup site sites cron beget name names path user server address value exchange records null limit',
  ]
    .join(' ')
    .split(/[^\p{L}\p{N}]+|(?=[A-Z])/u)
    .map((word) => word.toLowerCase()),
);

/** Everything in the seed of an account that could identify someone: its texts, and the words of these texts. */
function namesIn(seed: AccountSeed): ReadonlySet<string> {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  const { domains = [], sites = [], cronTasks = [], backupJobs = [], ...others } = seed;
  collect(others);
  texts.push(...domains.map(({ fqdn }) => fqdn), ...sites.map(({ name }) => name));
  texts.push(...cronTasks.map(({ command }) => command), ...backupJobs.flatMap(({ targets }) => targets));
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{M}\p{N}]+/u));
  const forms = [...texts, ...words].flatMap((text) => [text, domainToASCII(text), domainToUnicode(text)]);
  return new Set(
    forms
      .map((form) => form.toLowerCase())
      .filter((form) => form.length > 2 && !/^\d+$|^xn$/.test(form) && !documented.has(form)),
  );
}

/** The names with their encodings in which an answer may contain them. */
function encoded(names: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  return new Map([...names].map((name) => [name, encodingsOf(name)]));
}

function encodingsOf(name: string): readonly string[] {
  const escaped = JSON.stringify(name).slice(1, -1);
  const unicode = escaped.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const bytes = Buffer.from(name);
  const long = name.length < 6 ? [] : [bytes.toString('hex'), bytes.toString('base64').replace(/.{0,2}=*$/, '')];
  return [name, escaped, unicode, encodeURIComponent(name), ...long].map((form) => form.toLowerCase());
}

/** The names that a text contains. A short name can be a part of another word, so it must be a word. */
function leaksIn(text: string, names: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const lower = text.toLowerCase();
  const words = new Set(lower.split(/[^\p{L}\p{M}\p{N}]+/u));
  const isIn = (form: string) => (/^[\p{L}\p{M}\p{N}]{1,5}$/u.test(form) ? words.has(form) : lower.includes(form));
  return [...names].flatMap(([name, encodings]) => (encodings.some(isIn) ? [name] : []));
}

const allNames = encoded(new Set(demoAccounts.flatMap((seed) => [...namesIn(seed)])));

/** The samples of the hosting accounts, without those about the exporter. */
function figuresOf(page: string): readonly ParsedSample[] {
  return parsePage(page, 'text')
    .filter(({ name }) => name.startsWith('hosting_') && !/^hosting_(?:exporter_|last_)/.test(name))
    .flatMap(({ samples }) => samples);
}

/**
 * What a page shows, with no names of accounts, sites, databases or domains: for each label value, the figures of all series that
 * have it. The order of a page depends on the order of the answers.
 */
function withoutNames(samples: readonly ParsedSample[]): readonly string[] {
  const figures = new Map<string, string[]>();
  for (const { name, labels, value } of samples) {
    for (const [label, text] of [...Object.entries(labels), ['all', '']]) {
      const key = `${label}=${text}`;
      figures.set(key, [...(figures.get(key) ?? []), `${name}.${label} ${value}`]);
    }
  }
  return [...figures.values()].map((lines) => lines.sort().join('\n')).sort();
}

it.each([
  ['specification', 'password'],
  ['provider', 'token'],
] as const)(
  'in the dialect %s with a %s, a recording contains no name of any account, and its replay shows the same figures',
  async (dialect, mode) => {
    const sandbox = await startSandboxAtNoon(dialect);
    const accounts = sandbox.accounts.map((account) => accountSettings(account, mode));
    const configFile = configure(sandbox, { accounts, collectors: everyCollector });

    const { folder, stdout } = await record(configFile);
    const page = await once(configFile);
    const replayed = await once(await replayConfig(folder));

    expect(stdout).toContain('\nAll collectors work.\n');
    expect(stdout, 'add new fields to src/cli/check/anonymize.ts').not.toContain('The documentation does not name');
    expect(leaksIn(page, allNames).length).toBeGreaterThan(150);
    expect(leaksIn(textOf(folder), allNames)).toEqual([]);
    expect(figuresOf(page).length).toBeGreaterThan(1000);
    expect(withoutNames(figuresOf(replayed))).toEqual(withoutNames(figuresOf(page)));
  },
);

/** The states and the reasons of the collectors, as `check --json` prints them. */
function statesIn(json: string): unknown {
  const [account] = JSON.parse(json) as readonly AccountResult[];
  return account?.collectors.map(({ collector, state, reason }) => [collector, state, reason]);
}

const kinds = Object.keys(faultKinds) as readonly FaultKind[];

const namesOfShop = encoded(namesIn(shop));

it.each(kinds.map((kind, index) => [kind, dialects[index % dialects.length] ?? 'provider'] as const))(
  'a recording of the fault %s in the dialect %s contains no name, and its replay fails for the same reason',
  async (kind, dialect) => {
    const sandbox = await startSandboxAtNoon(dialect);
    sandbox.setFault({ kind, method: 'mysql/getList' });
    // The list with the fault is read last, because some faults pause the account for a minute.
    const collectors = onlyCollectors(['account', 'databases']);
    const api = kind === 'silence' || kind === 'drip' ? { timeout: '1s' } : {};
    const configFile = configure(sandbox, { accounts: [accountSettings(sandbox.account('shop'))], collectors }, api);

    const { folder, stdout } = await record(configFile, ['--json']);
    const replay = await replayConfig(folder, api);
    const context = recordedContext();
    await run(['check', `--config.file=${replay}`, '--json'], context);

    expect(leaksIn(textOf(folder), namesOfShop)).toEqual([]);
    expect(statesIn(context.printed.stdout)).toEqual(statesIn(stdout));
  },
);
