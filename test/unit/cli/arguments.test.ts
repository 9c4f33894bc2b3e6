import { CommanderError } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseArguments } from '../../../src/cli/run.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { parseCommandLine, printedFor } from '../../fixtures/command-line.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';

const log = { 'log.level': 'info', 'log.format': 'logfmt' };
const serve = { command: 'serve', ...log };
const once = { command: 'once', ...log };
const check = { command: 'check' };
const sandbox = { command: 'sandbox', dialect: 'specification', port: 10_381, speed: 1 };
const history = {
  command: 'history',
  output: 'h.om',
  days: 30,
  step: 240_000,
  job: 'hosting',
  instance: 'localhost:10380',
};
const demo = {
  command: 'demo',
  port: 10_380,
  'sandbox.port': 0,
  'history.instance': 'localhost:10380',
  ...log,
  'log.level': 'warn',
};

test('selects serve without a configuration file if there are no arguments', async () => {
  expect(await parseCommandLine([])).toEqual(serve);
});

test.each([
  ['--config.file=c.yml', { ...serve, 'config.file': 'c.yml' }],
  ['--config.file c.yml', { ...serve, 'config.file': 'c.yml' }],
  ['serve --config.file c.yml --config.check', { ...serve, 'config.file': 'c.yml', 'config.check': true }],
  ['--web.listen-address=[::1]:0', { ...serve, 'web.listenAddress': ['[::1]:0'] }],
  ['--web.listen-address :1 --web.listen-address=:2', { ...serve, 'web.listenAddress': [':1', ':2'] }],
  ['--web.config.file=w.yml --web.systemd-socket', { ...serve, 'web.config.file': 'w.yml', 'web.systemdSocket': true }],
  ['--config.auto-reload --web.enable-lifecycle', { ...serve, 'config.autoReload': true, 'web.enableLifecycle': true }],
  ['hash-password', { command: 'hash-password', cost: 10 }],
  ['hash-password --cost=14', { command: 'hash-password', cost: 14 }],
  // A value may contain an equals sign and a newline.
  ['--config.file=a=b\nc.yml', { ...serve, 'config.file': 'a=b\nc.yml' }],
  ['--web.health-address :10382', { ...serve, 'web.healthAddress': ':10382' }],
  ['--web.external-url=https://a.example/b/', { ...serve, 'web.externalUrl': 'https://a.example/b/' }],
  ['--web.external-url=/b', { ...serve, 'web.externalUrl': '/b' }],
  ['--web.route-prefix=/', { ...serve, 'web.routePrefix': '/' }],
  ['--log.level debug --log.format json', { ...serve, 'log.level': 'debug', 'log.format': 'json' }],
  ['once', once],
  ['once --config.file=c.yml --output x', { ...once, 'config.file': 'c.yml', output: 'x' }],
  ['check', check],
  ['check --account=shop --account blog', { ...check, account: ['shop', 'blog'] }],
  ['check --record=r --record.shift=-30', { ...check, record: 'r', 'record.shift': -30 }],
  ['rules --language=ru --output d', { command: 'rules', output: 'd', language: 'ru' }],
  ['history --output=h.om', history],
  [
    'history --output=h.om --account=a --account=b --days=7 --step=1h --from-state --until=2026-06-01T12:00:00+03:00',
    {
      ...history,
      account: ['a', 'b'],
      days: 7,
      step: 3_600_000,
      fromState: true,
      until: Date.parse('2026-06-01T09:00:00Z'),
    },
  ],
  ['history --output=h.om --days=9999 --step=10s', { ...history, days: 9999, step: 10_000 }],
  ['history --output=h.om --until=2026-06-01T12:00:30Z', { ...history, until: 1_780_315_230_000 }],
  ['demo', demo],
  ['demo --port=8080 --web.listen-address=:80', { ...demo, port: 8080, 'web.listenAddress': ':80' }],
  ['sandbox', sandbox],
  ['sandbox --port 65535', { ...sandbox, port: 65_535 }],
  ['sandbox --dialect provider --port 0 --speed 0.5', { ...sandbox, dialect: 'provider', port: 0, speed: 0.5 }],
])('parses %s', async (line, expected) => {
  expect(await parseCommandLine(line.split(' '))).toEqual(expected);
});

test('uses the last value of a repeated flag', async () => {
  expect(await parseCommandLine(['once', '--log.level=debug', '--log.level=warn'])).toMatchObject({
    'log.level': 'warn',
  });
});

/** Command lines with an invalid value: the flag, the value, and the problem. The flag may be preceded by other words. */
const invalidValues: readonly (readonly [words: string, values: readonly string[], problem: string])[] = [
  ['--config.file <file>', [''], 'It is empty.'],
  ['--config.file <file>', ['--log.level'], 'It is a flag, so the value is missing.'],
  ['--log.level <level>', ['loud'], 'Allowed choices are debug, info, warn, error.'],
  [
    '--web.listen-address <address>',
    ['10380'],
    'It is not a listen address; write [host]:port, such as :10380 or 127.0.0.1:10380.',
  ],
  [
    '--web.external-url <url>',
    ['example.com/hosting', 'https://a:b@example.com/'],
    'It is not a URL; write it without login, query and fragment, such as https://example.com/hosting.',
  ],
  [
    '--web.route-prefix <path>',
    ['hosting'],
    'It is not a path; start it with / and use only letters, digits, . _ ~ and -, such as /hosting.',
  ],
  [
    '--web.telemetry-path <path>',
    ['/-/ready'],
    'It is reserved by the exporter; choose another path, such as /metrics.',
  ],
  ['--shard <i/n>', ['6/5', '0/5'], 'It is not a shard; write i/n with i from 1 to n, such as 2/5, or auto.'],
  ['--shard <i/n>', ['--log.level'], 'It is a flag, so the value is missing.'],
  ['check --account <name>', [''], 'It is empty.'],
  [
    'check --record=r --record.shift <days>',
    ['abc', '1.5', '10000', ''],
    'It is not a number of days; write a whole number such as -30.',
  ],
  ['sandbox --port <number>', ['65536', '1e3'], 'It is not a port; write a number from 0 to 65535.'],
  ['sandbox --speed <factor>', ['0'], 'It is not a speed; write a number such as 1 or 60.'],
  [
    'demo --web.listen-address <address>',
    ['10380'],
    'It is not a listen address; write [host]:port, such as :10380 or 127.0.0.1:10380.',
  ],
  ['demo --log.format <format>', ['xml'], 'Allowed choices are logfmt, json.'],
  ['rules --output=d --language <language>', ['de'], 'Allowed choices are en, ru.'],
  ['hash-password --cost <number>', ['09', '15'], 'It is not a cost from 10 to 14.'],
  ['history --output=x --days <number>', ['0', '1.5'], 'It is not a number of days.'],
  ['history --output=x --step <duration>', ['9999ms', '5s'], 'It is not a duration of at least 10s; write 4m or 1h.'],
  [
    'history --output=x --until <time>',
    ['2026-06-01T12:00', '2026-06-01', '+002026-06-01T12:00Z', '2026-06-01T12:00Z(noon)'],
    'It is not a time; write it with its zone, such as 2026-06-01T12:00:00Z, or now.',
  ],
  ['history --output=x --until <time>', ['2999-06-01T12:00Z'], 'It is in the future.'],
  ['history --output=x --label <name=value>', ['env'], 'It is not a label; write name=value, such as env=production.'],
  ['history --output=x --label <name=value>', ['job=a'], 'Use --job for this label.'],
  ['history --output=x --label <name=value>', ['instance=a'], 'Use --instance for this label.'],
  ...['account', 'site_id', 'site', 'database', '__name__'].map(
    (name) =>
      [
        'history --output=x --label <name=value>',
        [`${name}=a`],
        `The label ${name} is already used; choose another name.`,
      ] as const,
  ),
  ['history --output=x --label=a=1 --label <name=value>', ['a=2'], 'The label a is already used; choose another name.'],
];

const refusals = invalidValues.flatMap(([words, values, problem]) => {
  const [line = '', flag = ''] = /^(.*?)(--[\w.-]+ <.*>)$/.exec(words)?.slice(1) ?? [];
  return values.map((value) => [
    `${line}${flag.replace(/ <.*/, '')}=${value}`,
    `error: option '${flag}' argument '${value.replace('a:b@', '[login]@')}' is invalid. ${problem}\n`,
  ]);
});

test.each([
  ['srve', "error: unknown command 'srve'\n(Did you mean serve?)\n"],
  ['frobnicate', "error: unknown command 'frobnicate'\n"],
  ['once twice', "error: too many arguments for 'once'. Expected 0 arguments but got 1: twice.\n"],
  ['--config.file=c.yml check', "error: too many arguments for 'serve'. Expected 0 arguments but got 1: check.\n"],
  ['--config.fil x', "error: unknown option '--config.fil'\n(Did you mean --config.file?)\n"],
  ['--web.listen-adress=:1', "error: unknown option '--web.listen-adress'\n(Did you mean --web.listen-address?)\n"],
  ['-x', "error: unknown option '-x'\n"],
  ['--config.file', "error: option '--config.file <file>' argument missing\n"],
  ['rules', "error: required option '--output <directory>' not specified\n"],
  ['once --web.listen-address :1', "error: unknown option '--web.listen-address'\n"],
  ['demo --config.file x', "error: unknown option '--config.file'\n"],
  ['history', "error: required option '--output <file>' not specified\n"],
  ['check --log.level=debug', "error: unknown option '--log.level'\n"],
  ...refusals,
])('refuses %s and points to the help', async (line = '', message) => {
  const { exitCode, stdout, stderr } = await printedFor(line.split(' '));

  const [word = ''] = line.split(' ');
  const unknown = ['srve', 'frobnicate'].includes(word);
  const command = unknown ? '' : word.startsWith('-') ? ' serve' : ` ${word}`;
  expect(stderr).toBe(`${message}Run 'hosting-account-exporter${command} --help' for usage.\n`);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});

test('the help has 80 columns', async () => {
  const commands = ['', 'serve', 'once', 'check', 'history', 'rules', 'sandbox', 'demo'];
  const help = await Promise.all(commands.map((command) => printedFor(`${command} --help`.trim().split(' '))));

  expect(help.flatMap(({ stdout }) => stdout.split('\n')).filter((line) => line.length > 80)).toEqual([]);
});

test('reads the time now', async () => {
  fakeDate('2026-06-03T12:00:00Z');

  expect(await parseCommandLine(['history', '--output=h.om', '--until=now'])).toMatchObject({
    until: 1_780_488_000_000,
  });
});

test.each(['--version', 'once --version', '--config.file=c.yml --version'])('%s prints the version', async (line) => {
  expect(await printedFor(line.split(' '))).toEqual({
    exitCode: 0,
    stdout: 'hosting-account-exporter 1.2.3 (abc1234)\n',
    stderr: '',
  });
});

test('throws only CommanderError, for any command line', async () => {
  const words = [
    'serve',
    'once',
    'help',
    '--config.file',
    '--config.check',
    '--output=x',
    '--port',
    '0',
    '--',
    '-',
    '--help=1',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...words), fc.string())), async (argv) => {
      try {
        expect(await parseArguments(argv, recordedContext())).toHaveProperty('command');
      } catch (error) {
        expect(error).toBeInstanceOf(CommanderError);
      }
    }),
  );
});
