import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseArguments, UsageError } from '../../../src/cli/arguments.ts';

const log = { level: 'info', format: 'logfmt' };
const serve = {
  command: 'serve',
  configFile: undefined,
  configCheck: false,
  listenAddress: undefined,
  telemetryPath: undefined,
  log,
};

test('no arguments mean serve, configured by the environment', () => {
  expect(parseArguments([])).toEqual(serve);
});

test.each([
  ['--config.file=c.yml', { ...serve, configFile: 'c.yml' }],
  ['--config.file c.yml', { ...serve, configFile: 'c.yml' }],
  ['serve --config.file c.yml --config.check', { ...serve, configFile: 'c.yml', configCheck: true }],
  ['--config.file a.yml --config.file b.yml', { ...serve, configFile: 'b.yml' }],
  ['--web.listen-address=[::1]:0', { ...serve, listenAddress: '[::1]:0' }],
  ['--web.telemetry-path /a/b', { ...serve, telemetryPath: '/a/b' }],
  ['--log.level debug --log.format json', { ...serve, log: { level: 'debug', format: 'json' } }],
  ['once', { command: 'once', accounts: undefined, configFile: undefined, output: undefined, log }],
  [
    'once --config.file=c.yml --output x',
    { command: 'once', accounts: undefined, configFile: 'c.yml', output: 'x', log },
  ],
  [
    '--config.file c.yml once --output=x',
    { command: 'once', accounts: undefined, configFile: 'c.yml', output: 'x', log },
  ],
  ['--output=x once', { command: 'once', accounts: undefined, configFile: undefined, output: 'x', log }],
  ['check', { command: 'check', accounts: undefined, json: false, configFile: undefined, log }],
  [
    'check --account=shop --account blog',
    { command: 'check', accounts: ['shop', 'blog'], json: false, configFile: undefined, log },
  ],
  ['rules --config.file c.yml --output d', { command: 'rules', output: 'd', configFile: 'c.yml', log }],
  ['demo --log.level=warn', { command: 'demo', log: { ...log, level: 'warn' } }],
  ['sandbox', { command: 'sandbox', dialect: 'specification', port: 10_381, speed: 1, log }],
  [
    'sandbox --dialect provider --port 0 --speed 0.5',
    { command: 'sandbox', dialect: 'provider', port: 0, speed: 0.5, log },
  ],
  ['--version', { command: 'version' }],
  ['once --version', { command: 'version' }],
])('%s is understood', (line, expected) => {
  expect(parseArguments(line.split(' '))).toEqual(expected);
});

test.each([
  ['srve', "unknown command 'srve'; did you mean serve?"],
  ['frobnicate', "unknown command 'frobnicate'; see --help"],
  ['once twice', 'too many arguments. Expected 1 argument but got 2: once, twice; see --help'],
  ['--config.fil x', "unknown option '--config.fil'; did you mean --config.file?"],
  ['--web.listen-adress=:1', "unknown option '--web.listen-adress=:1'; did you mean --web.listen-address?"],
  ['-x', "unknown option '-x'; see --help"],
  ['--config.file', "option '--config.file <file>' argument missing; see --help"],
  ['--config.file=', "option '--config.file <file>' argument '' is invalid. It is empty; see --help"],
  [
    '--config.file --log.level',
    "option '--config.file <file>' argument '--log.level' is invalid. It is a flag: a value is missing; see --help",
  ],
  [
    '--log.level loud',
    "option '--log.level <level>' argument 'loud' is invalid. Allowed choices are debug, info, warn, error; see --help",
  ],
  [
    '--web.listen-address 10380',
    "option '--web.listen-address <address>' argument '10380' is invalid. " +
      'It is not an address to listen on; write [host]:port, such as :10380 or 127.0.0.1:10380; see --help',
  ],
  [
    '--web.telemetry-path=/-/ready',
    "option '--web.telemetry-path <path>' argument '/-/ready' is invalid. " +
      'It is a path of the exporter itself; choose another, such as /metrics; see --help',
  ],
  [
    'sandbox --port 65536',
    "option '--port <number>' argument '65536' is invalid. It is not a port; write a number from 0 to 65535; see --help",
  ],
  [
    'sandbox --speed 0',
    "option '--speed <number>' argument '0' is invalid. It is not a speed; write a number such as 1 or 60; see --help",
  ],
  ['once --web.listen-address :1', "option '--web.listen-address' is of no use with once; it belongs to serve, demo"],
  ['demo --config.file x', "option '--config.file' is of no use with demo; it belongs to serve, once, check, rules"],
  ['serve --account x', "option '--account' is of no use with serve; it belongs to once, check"],
  ['--output x', "option '--output' is of no use with serve; it belongs to once, rules"],
])('%s is refused', (line, message) => {
  expect(() => parseArguments(line.split(' '))).toThrow(new UsageError(message));
});

test.each(['--help', '-h', 'help', 'once --help'])('%s gives a page that fits 80 columns', (line) => {
  const parsed = parseArguments(line.split(' '));

  const text = parsed.command === 'help' ? parsed.text : '';
  expect(text.split('\n').filter((one) => one.length > 80)).toEqual([]);
});

test.each([
  ['its commands', /^ {2}(serve|once|check|rules|sandbox|demo) {2,}\w/gm, 6],
  ['the flags of the contract', /--(config\.file|config\.check|web\.listen-address|web\.telemetry-path)\b.* {2}/g, 4],
  ['the variables of the environment', /^ {2}HOSTING_(BASE_URL|LOGIN|TOKEN|ACCOUNT) /gm, 4],
  ['the default port', /10380\/metrics/g, 1],
])('the help names %s', (_, pattern, count) => {
  const parsed = parseArguments(['--help']);

  expect(parsed.command === 'help' ? parsed.text.match(pattern) : []).toHaveLength(count);
});

test('whatever is written, it is understood or refused', () => {
  const words = [
    'serve',
    'once',
    '--config.file',
    '--config.check',
    '--output=x',
    '--port',
    '0',
    '--',
    '-',
    '--help=1',
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string())), (argv) => {
      try {
        expect(parseArguments(argv)).toHaveProperty('command');
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    }),
  );
});
