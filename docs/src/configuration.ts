import * as z from 'zod';
import { exitCodes } from '../../src/cli/command.ts';
import { formatValue } from '../../src/config/file/document.ts';
import { environmentVariables } from '../../src/config/file/environment.ts';
import { account, configFile } from '../../src/config/file/schema.ts';
import { alertThresholds } from '../../src/rules/thresholds.ts';
import { agencyExample, fleetExample, singleExample } from './examples.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The JSON Schema of the configuration file, for editors. Draft 7 has the best support in the YAML language server. */
export function configurationJsonSchema(): string {
  return formatJsonSchema(configFile, 'Configuration of hosting-account-exporter');
}

/** The JSON Schema of a file with one account, as listed in `accounts_from`. */
export function accountJsonSchema(): string {
  return formatJsonSchema(account, 'One account of hosting-account-exporter');
}

function formatJsonSchema(schema: z.ZodType, title: string): string {
  return `${JSON.stringify({ ...toJsonSchema(schema), title }, null, 2)}\n`;
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
}

/** The page docs/configuration.md. `helpPages`: the output of --help for each command. */
export function configurationMarkdown(helpPages: ReadonlyMap<string, string>): string {
  const root = toJsonSchema(configFile);
  const element = itemsOf(property(root, 'accounts'));
  const collectors = property(root, 'collectors');
  const names = Object.keys(propertiesOf(collectors));
  const parts = [
    '# Configuration',
    intro,
    '## Check a configuration',
    checks,
    '## One account',
    fence('yaml', singleExample),
    '## Many accounts',
    fence('yaml', agencyExample),
    '## One file per account',
    files,
    ...Object.entries(fleetExample).flatMap(([path, text]) => [`\`${path}\`:`, fence('yaml', text)]),
    '## Keys',
    '### `api`',
    descriptionOf(property(root, 'api')),
    keyTable(property(root, 'api')),
    '### `accounts`',
    `${descriptionOf(property(root, 'accounts'))} Each account needs exactly one of \`password\`, \`password_file\`, \`token\` and \`token_file\`.`,
    keyTable(element),
    '### `exclude` of an account',
    `${descriptionOf(property(element, 'exclude'))} The page of the account says how much is left out, as does \`hosting_exporter_items_excluded\`. A change takes effect with a reload, and HostingInventoryCollapsed does not count it as a loss. The load of an excluded site is missing in the sum that is compared with the plan.`,
    keyTable(property(element, 'exclude')),
    '### `accounts_from`',
    `${descriptionOf(property(root, 'accounts_from'))} The value is a path with wildcards, or a list of such paths. Example: ${examplesOf(property(root, 'accounts_from'))}.`,
    '### `alerts`',
    descriptionOf(property(root, 'alerts')),
    alerts,
    table(
      ['Alert', 'Compared value', 'Unit', 'Fires', 'Severity', 'Default', 'Reason'],
      alertThresholds.flatMap(({ alert, description, unit, direction, levels }) =>
        Object.entries(levels).map(([severity, { value, why }], index) => [
          index === 0 ? code(alert) : '',
          index === 0 ? description : '',
          index === 0 ? unit : '',
          index === 0 ? (direction === 'above' ? 'at or above the threshold' : 'below the threshold') : '',
          severity,
          code(`${value}`),
          why,
        ]),
      ),
    ),
    '### `collectors`',
    descriptionOf(property(root, 'collectors')),
    table(
      ['Collector', 'Interval', 'Description'],
      names.map((name) => {
        const settings = property(collectors, name);
        const off = defaultOf(property(settings, 'enabled')) === code('false') ? ', off by default' : '';
        return [code(name), `${defaultOf(property(settings, 'every'))}${off}`, descriptionOf(settings)];
      }),
    ),
    'Each collector has these keys:',
    keyTable(property(collectors, names[0] ?? ''), ['every', 'enabled']),
    '### `web`',
    descriptionOf(property(root, 'web')),
    keyTable(property(root, 'web')),
    '## `state`',
    `${descriptionOf(property(root, 'state'))} [state.md](state.md) describes it.`,
    keyTable(property(root, 'state')),
    values,
    warnings,
    '## Environment and proxy',
    'Without `--config.file`, environment variables describe one account, and all other settings have their defaults. An empty variable counts as unset.',
    table(
      ['Variable', 'Description'],
      Object.entries(environmentVariables).map(([name, meaning]) => [code(name), meaning]),
    ),
    proxies,
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.entries(exitCodes).map(([code, meaning]) => [code, meaning]),
    ),
    '## Command line',
    commandLine,
    ...[...helpPages].flatMap(([command, page]) => [`### \`${command}\``, fence('text', page)]),
  ];
  return `${parts.join('\n\n').trimEnd()}\n`;
}

const intro = `<!-- Generated by docs/src/configuration.ts. Change the schema or that file, then run vitest -u. -->

The flag \`--config.file\` names one YAML file. The exporter validates this file at start. If the file has errors, the exporter
reports all of them at once, with line, column and key, and exits with code 2. Unknown keys are errors:

\`\`\`text
config.yml:2:3: api: has an unknown key; did you mean "timeout"?
config.yml:6:12: accounts[0].login: uses the environment variable LOGIN, which is not set; set it
accounts/bakery.yml:4:16: password_file: the file is empty; write the password
\`\`\`

The exporter prints at most 50 errors, and then the number of further errors. With the environment variable \`HOSTING_LANGUAGE=ru\`, these
errors are in Russian, and so is the output of \`check\` and \`init\`, which also have the flag \`--language\`. The log, \`--help\`, errors of
flags, errors of other files and messages of the API are in English.

For completion and validation in an editor, name the [JSON Schema](configuration.schema.json) in the first line of the file.
Files of single accounts have [their own schema](account.schema.json).

\`\`\`yaml
# yaml-language-server: $schema=configuration.schema.json
\`\`\``;

const checks = `Two commands check a configuration before the exporter uses it:

| | \`--config.check\` | \`check\` |
| --- | --- | --- |
| Command | \`hosting-account-exporter --config.file=config.yml --config.check\` | \`hosting-account-exporter check --config.file=config.yml\` |
| Question | Is the configuration valid? | Will every collector work? |
| Calls the API | no | yes, for each enabled collector and within the budget; a fan-out collector makes only the call for its first item |
| Reports | errors, warnings, and the configuration with all defaults | the errors and warnings of \`--config.check\`; network, certificate, clock, credentials, permissions and budget of each account, with advice |
| Duration | under a second | seconds to minutes, depending on \`requests_per_minute\` |
| Exit code | 0: valid, 2: invalid | 0: all collectors work, 1: a collector fails, 2: invalid configuration |
| Use it | before each reload, in CI | after a change of accounts, passwords or permissions |`;

const files = `\`accounts_from\` names files with one account each. You can use the key together with the list \`accounts\`, or instead of this list.
A file contains the keys of one element of \`accounts\`. Wildcards work as in a shell: \`*\` and \`?\` match within a name, \`**\` matches
directories of any depth, and \`{a,b}\` and \`[a-z]\` match alternatives. Hidden files and directories do not match.

A pattern without a match is an error, so no account is lost unnoticed. SIGHUP reloads all files. The accounts of new files
start, and the accounts of removed files stop. If any file is invalid, the exporter keeps the previous configuration.
[Hundreds of accounts](scaling.md) describes larger setups.`;

const alerts = `An alert fires for an account at its threshold. The account's own value counts first, then the value for all accounts, then the
default. A severity without a value keeps its default. \`off\` disables a severity or the whole alert. Thresholds are in the unit of the
alert: write a ratio of 90 % as 0.9. A change takes effect with a reload. [The rules](alerts.md) read the thresholds from the metric
\`hosting_account_alert_threshold\`, so they need no change; pages, reports and dashboards use the same numbers. All other numbers of the
alerts, such as \`for\`, are in the rules.

\`\`\`yaml
alerts:
  HostingDiskAlmostFull: { warning: 0.8 }
  HostingSiteLoadUnusual: off
accounts:
  - name: archive
    login: u12345
    password_file: /run/secrets/archive
    alerts:
      HostingDiskAlmostFull: { warning: 0.97, critical: 0.99 }
      HostingDomainExpiring: { warning: off }
\`\`\``;

const values = `## Values

**Durations** are a whole number and a unit: \`30s\`, \`5m\`, \`1h\`, \`1d\`.

**Schedules** are either an interval (\`every\`) or a cron pattern (\`schedule\`). A cron pattern has five fields: minute, hour, day,
month and day of week. An optional first field contains the seconds. Cron patterns use the \`time_zone\` of the account. An
account's \`every\` or \`schedule\` replaces the common \`every\` or \`schedule\`.

**Variables**: the exporter replaces \`\${NAME}\` in a text by the environment variable NAME. For the characters \`\${\`, write
\`$\${\`. The value of a variable is not parsed as YAML. The value is therefore always text, never a number, true or false.
Inside \`{ }\` and \`[ ]\`, put quotation marks around the text. An unset variable is an error.

**Aliases** (\`&name\`, \`*name\`) work. Merge keys (\`<<\`) are not supported: put common settings into \`api\` and \`collectors\`.

**Paths** are relative to the directory of the file that contains them.

**Secrets** never appear in logs, errors, metrics or pages. One newline at the end of a secret file is not part of the
secret. The exporter reads secret files for each API call, so a new password needs no restart, except with credentials of systemd. While a secret file is missing
or empty, API calls of the account fail, and the metrics of the account report the failure. The exporter never uses a removed or
empty secret.`;

const warnings = `## Warnings

The exporter logs a warning for input that is ignored or risky. \`check\` and \`--config.check\` print the same warnings.

| Input | Why it matters |
| --- | --- |
| HOSTING_* variables together with \`--config.file\` | The exporter ignores the variables, unless the file refers to them as \`\${HOSTING_…}\`. |
| two accounts with the same \`base_url\` and \`login\` | The accounts share the provider's limit of calls. The lower \`requests_per_minute\` applies to both together. |
| \`max_items\` above 10000 | Reading such a long list delays pages and scrapes. |
| an account whose collectors are all disabled | The account is never polled. |
| a password that starts or ends with white space | The white space is sent as part of the password. |
| a world-readable file that contains a password or token | Every user of the machine can read the secret. |`;

const proxies = `The standard variables \`HTTPS_PROXY\`, \`HTTP_PROXY\` and \`NO_PROXY\`, also in lower case, apply to API calls. A proxy
without a scheme, such as \`proxy.example.com:3128\`, is an HTTP proxy, as in curl. If a proxy is not a valid URL, the exporter does
not start. Calls to \`localhost\`, \`127.0.0.1\` and \`::1\` use no proxy. \`NO_PROXY\` lists host names, domains and single addresses;
networks such as \`10.0.0.0/8\` match nothing.`;

const commandLine = `Flags follow the command. Without a command, \`serve\` runs.`;

/** A table with one row per key. Another table contains the defaults of the keys in `varying`. */
function keyTable(schema: JsonSchema, varying: readonly string[] = []): string {
  return table(
    ['Key', 'Type', 'Default', 'Description', 'Example'],
    Object.entries(propertiesOf(schema)).map(([name, key]) => [
      code(name),
      typeOf(key),
      schema.required?.includes(name) === true ? 'required' : varying.includes(name) ? 'see above' : defaultOf(key),
      descriptionOf(key),
      examplesOf(key),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function typeOf(schema: JsonSchema): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.enum !== undefined) return schema.enum.map((choice) => code(String(choice))).join(' or ');
  const branches = branchesOf(schema).map(({ type, enum: choices }) => (choices === undefined ? type : 'off'));
  if (branches.length > 1) return branches.join(' or ');
  if (schema.type === 'integer') return `whole number from ${schema.minimum} to ${schema.maximum}`;
  return (
    { string: 'text', boolean: '`true` or `false`', object: 'mapping' }[String(branches[0])] ?? String(branches[0])
  );
}

function descriptionOf(schema: JsonSchema): string {
  return schema.description ?? '';
}

function examplesOf({ examples = [] }: JsonSchema): string {
  return examples.map((example) => code(formatValue(example))).join(', ');
}

function defaultOf(schema: JsonSchema): string {
  return schema.default === undefined ? '' : code(String(schema.default));
}

function property(schema: JsonSchema, name: string): JsonSchema {
  return propertiesOf(schema)[name] ?? {};
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = branchesOf(schema).flatMap((branch) => Object.entries(branch.properties ?? {}));
  return Object.fromEntries(properties.map(([name, value]) => [name, asSchema(value)]));
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return Array.isArray(items) ? {} : asSchema(items);
}

/** The alternatives of a schema, without null. */
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.anyOf ?? [schema]).map(asSchema).filter(({ type }) => type !== 'null');
}

function asSchema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {};
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

function code(text: string): string {
  return `\`${text}\``;
}
