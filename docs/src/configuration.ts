import * as z from 'zod';
import { formatValue } from '../../src/config/document.ts';
import { environmentVariables } from '../../src/config/environment.ts';
import { account, configFile } from '../../src/config/schema.ts';
import { overridableAlerts } from '../../src/rules/thresholds.ts';
import { agencyExample, fleetExample, ownerExample } from './examples.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The JSON Schema of the file, for editors. It is draft 7, which the YAML language server knows best. */
export function configurationJsonSchema(): string {
  return formatJsonSchema(configFile, 'Configuration of hosting-account-exporter');
}

/** The JSON Schema of a file that `accounts_from` names. */
export function accountJsonSchema(): string {
  return formatJsonSchema(account, 'One account of hosting-account-exporter');
}

function formatJsonSchema(schema: z.ZodType, title: string): string {
  return `${joinShortLists(JSON.stringify({ ...toJsonSchema(schema), title }, null, 2))}\n`;
}

/** As the formatter has it, which would change the file otherwise: lists of plain values on one line. */
function joinShortLists(json: string): string {
  const list = /\[((?:\n\s+(?:"[^\n]*"|[\w.-]+),?)+)\n\s+\]/g;
  return json.replace(list, (_, items: string) => `[${items.trim().replace(/\n\s+/g, ' ')}]`);
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
}

/** The page docs/configuration.md. `helpPage` is what --help prints. */
export function configurationMarkdown(helpPage: string): string {
  const root = toJsonSchema(configFile);
  const element = itemsOf(property(root, 'accounts'));
  const collectors = property(root, 'collectors');
  const names = Object.keys(propertiesOf(collectors));
  const parts = [
    '# Configuration',
    intro,
    '## One account',
    fence('yaml', ownerExample),
    '## An agency',
    fence('yaml', agencyExample),
    '## A file for each account',
    files,
    ...Object.entries(fleetExample).flatMap(([path, text]) => [`\`${path}\`:`, fence('yaml', text)]),
    '## Keys',
    '### `api`',
    descriptionOf(property(root, 'api')),
    keyTable(property(root, 'api')),
    '### `accounts`',
    `${descriptionOf(property(root, 'accounts'))} Each has exactly one of \`password\`, \`password_file\`, \`token\` and \`token_file\`.`,
    keyTable(element),
    '### `accounts[].alerts`',
    descriptionOf(property(element, 'alerts')),
    alerts,
    table(
      ['Alert', 'What is compared', 'Unit', 'Fires', 'Defaults'],
      overridableAlerts.map(({ alert, description, unit, direction, defaults }) => [
        code(alert),
        description,
        unit,
        direction === 'above' ? 'at it and above' : 'below it',
        Object.entries(defaults)
          .map(([severity, value]) => code(`${severity}: ${value}`))
          .join(', '),
      ]),
    ),
    '### `accounts_from`',
    `${descriptionOf(property(root, 'accounts_from'))} A path with wildcards, or a list of them: ${examplesOf(property(root, 'accounts_from'))}.`,
    '### `collectors`',
    descriptionOf(property(root, 'collectors')),
    table(
      ['Collector', 'Polled every', 'What it reads'],
      names.map((name) => {
        const settings = property(collectors, name);
        const off = defaultOf(property(settings, 'enabled')) === code('false') ? ', off by default' : '';
        return [code(name), `${defaultOf(property(settings, 'every'))}${off}`, descriptionOf(settings)];
      }),
    ),
    'Each of them takes:',
    keyTable(property(collectors, names[0] ?? ''), ['every', 'enabled']),
    '### `web`',
    descriptionOf(property(root, 'web')),
    keyTable(property(root, 'web')),
    values,
    '## Environment',
    'Without `--config.file`, one account is read from the environment, and everything else has its default. A variable that is empty counts as not set.',
    table(
      ['Variable', 'Meaning'],
      Object.entries(environmentVariables).map(([name, meaning]) => [code(name), meaning]),
    ),
    '## Flags',
    fence('text', helpPage),
  ];
  return `${parts.join('\n\n').trimEnd()}\n`;
}

const intro = `<!-- Written by docs/src/configuration.ts: change the schema or that file, then run vitest -u. -->

The exporter reads one YAML file, named by \`--config.file\`. \`--config.check\` says whether it is right, and what it
holds. Whatever is wrong is told at once, with line, column and key, and ends the program with exit code 2; an unknown
key is wrong too:

\`\`\`text
config.yml:2:3: api.timout: unknown key; did you mean "timeout"?
config.yml:6:12: accounts[0].login: uses the environment variable LOGIN, which is not set; set it
accounts/bakery.yml:4:16: password_file: the file is empty; write the password
\`\`\`

For completion and checks while you write, give the YAML language server the
[JSON Schema](configuration.schema.json) in the file's first line; [another](account.schema.json) is for files of single
accounts:

\`\`\`yaml
# yaml-language-server: $schema=configuration.schema.json
\`\`\``;

const files = `Instead of listing accounts, or besides, \`accounts_from\` names files with one account each, written as an element of
\`accounts\` is. Wildcards are those of a shell: \`*\` and \`?\` within a name, \`**\` for folders of any depth, \`{a,b}\` and
\`[a-z]\`; hidden files and folders are left out. A pattern that matches no file is an error: better no start than an account
that nobody watches. SIGHUP reads it all again: accounts whose files are new start, those whose files are gone end, and
where anything is wrong the former configuration goes on. [Hundreds of accounts](scaling.md) says how far that goes.`;

const alerts = `An alert takes the severities that it has by default, in its unit; a ratio is written as 0.9 for 90 %. A severity that is
left out keeps the threshold of the rules. [The rules](alerts.md) take it from the exporter's metrics and need no change.
Other alerts watch more than one account, or compare nothing; those are changed in the rules.

\`\`\`yaml
alerts:
  HostingDiskAlmostFull: { warning: 0.9, critical: 0.97 }
  HostingDomainExpiring: { warning: off }
  HostingSiteLoadUnusual: off
\`\`\``;

const values = `## Values

**Durations** are a whole number and a unit: \`30s\`, \`5m\`, \`1h\`, \`1d\`.

**Schedules** are either \`every\`, a duration between two polls, or \`schedule\`, a cron pattern of five fields (minute,
hour, day, month, day of week) or six (seconds before them), in the account's \`time_zone\`. An account's own \`every\`
or \`schedule\` takes the place of the common one, whichever that is.

**Variables**: \`\${NAME}\` within a text is replaced by the environment variable NAME; \`$\${\` stands for \`\${\`. The
value is taken as it is, as text: it is not read as YAML, so it can't stand for a number or for true and false. Within
\`{ }\` and \`[ ]\`, put the text in quotes. A variable that is not set is an error.

**Paths** are relative to the folder of the file that they are written in.

**Secrets** never appear in logs, errors, metrics or pages. One newline at the end of a secret file is not part of the
secret. Secret files are read again when they change, so a new password needs no restart. While a secret file is missing
or empty, the account's calls fail and its metrics say so: the exporter does not go on with the old secret, and it never
sends an empty one. A secret file that every user of the machine may read is told in a warning at start; the same goes
for a file of the configuration where a password or token is written into it.`;

/** A row for each key. `varying` are those whose default is told elsewhere. */
function keyTable(schema: JsonSchema, varying: readonly string[] = []): string {
  return table(
    ['Key', 'Type', 'Default', 'Meaning', 'Example'],
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

/** The alternatives of a schema, where being empty is none. */
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
