import * as z from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The properties of a metric that queries can depend on, apart from its name. */
interface MetricInterface {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Everything that the queries, configurations, scripts and probes of users can depend on. */
export interface PublicInterface {
  readonly metrics: Readonly<Record<string, MetricInterface>>;
  /** The values of the label `reason`. */
  readonly reasons: readonly string[];
  readonly alerts: readonly string[];
  /** Keys of the configuration file. */
  readonly configuration: readonly string[];
  /** Keys of the file for `--web.config.file`. */
  readonly webConfiguration: readonly string[];
  readonly environment: readonly string[];
  /** Flags by command. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly exitCodes: readonly number[];
  /** HTTP methods by path. */
  readonly httpPaths: Readonly<Record<string, readonly string[]>>;
  /** Fields of the JSON of all accounts; undefined in interfaces of earlier releases. */
  readonly report?: readonly string[];
}

/** The public interface of a release. */
export interface ReleasedInterface extends PublicInterface {
  readonly version: string;
}

/** The keys of a file, in the notation of error messages, such as `accounts[].api.timeout`. */
export function keysOf(schema: z.ZodType): readonly string[] {
  return [
    ...new Set(keysBelow(z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }), '')),
  ];
}

function keysBelow(schema: JsonSchema | boolean, path: string): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const { properties = {}, items, anyOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, value]) => {
      const key = path === '' ? name : `${path}.${name}`;
      return [key, ...keysBelow(value, key)];
    }),
    ...[items ?? []].flat().flatMap((item) => keysBelow(item, `${path}[]`)),
    ...[...anyOf, ...allOf].flatMap((branch) => keysBelow(branch, path)),
  ];
}

/** The long flags that a help page lists. */
export function flagsOf(helpPage: string): readonly string[] {
  return [...helpPage.matchAll(/^ {2}(?:-\w, )?(--[\w.-]+)/gm)].map(([, flag = '']) => flag);
}

/** A difference between two versions of the public interface. */
export interface InterfaceChange {
  /** `broken`: an element was removed, or a metric has another type or other labels. `added`: an element is new. */
  readonly kind: 'added' | 'broken';
  /** The change in words. */
  readonly what: string;
  /** The name that a changelog entry about the change must contain. */
  readonly name: string;
}

/** All differences. A new or removed mapping of the configuration is one difference. Its keys do not count. */
export function interfaceChanges(before: PublicInterface, after: PublicInterface): readonly InterfaceChange[] {
  return [
    ...metricChanges(before.metrics, after.metrics),
    ...listChanges('reason', before.reasons, after.reasons),
    // The maintainer who merges a new alert describes it in the changelog.
    ...listChanges('alert', before.alerts, after.alerts).filter(({ kind }) => kind === 'broken'),
    ...keyChanges('key of the configuration', before.configuration, after.configuration),
    ...keyChanges('key of the web configuration', before.webConfiguration, after.webConfiguration),
    ...listChanges('environment variable', before.environment, after.environment),
    ...groupChanges('flag of', before.flags, after.flags),
    ...listChanges('exit code', before.exitCodes.map(String), after.exitCodes.map(String)),
    ...groupChanges('method of', before.httpPaths, after.httpPaths),
    ...keyChanges('field of the report', before.report ?? [], after.report ?? []),
  ];
}

function metricChanges(
  before: PublicInterface['metrics'],
  after: PublicInterface['metrics'],
): readonly InterfaceChange[] {
  const changed = Object.entries(after).filter(([name, { type, labels }]) => {
    const old = before[name];
    return old !== undefined && (old.type !== type || old.labels.toSorted().join() !== labels.toSorted().join());
  });
  return [
    ...listChanges('metric', Object.keys(before), Object.keys(after)),
    ...changed.map(([name]) => ({ kind: 'broken', what: `type or labels of ${name}`, name }) as const),
  ];
}

function listChanges(what: string, before: readonly string[], after: readonly string[]): readonly InterfaceChange[] {
  const [old, current] = [new Set(before), new Set(after)];
  return [
    ...before.filter((name) => !current.has(name)).map((name) => change('broken', what, name)),
    ...after.filter((name) => !old.has(name)).map((name) => change('added', what, name)),
  ];
}

function change(kind: InterfaceChange['kind'], what: string, name: string): InterfaceChange {
  return { kind, what: `${what}: ${name}`, name };
}

function keyChanges(what: string, before: readonly string[], after: readonly string[]): readonly InterfaceChange[] {
  const all = listChanges(what, before, after);
  const changed = new Set(all.map(({ name }) => name));
  return all
    .filter(({ name }) => !parents(name).some((parent) => changed.has(parent)))
    .map((one) => ({ ...one, name: one.name.split('.').at(-1) ?? one.name }));
}

/** The keys that contain a key. For `accounts[].api.timeout`, they are `accounts` and `accounts[].api`. */
function parents(key: string): readonly string[] {
  const names = key.split('.');
  return names.slice(1).map((_, index) =>
    names
      .slice(0, index + 1)
      .join('.')
      .replace(/\[\]$/, ''),
  );
}

type Groups = Readonly<Record<string, readonly string[]>>;

/** The differences between groups. A new group, such as a command with all its flags, is one difference. */
function groupChanges(what: string, before: Groups, after: Groups): readonly InterfaceChange[] {
  return [
    ...listChanges(what, Object.keys(before), Object.keys(after)),
    ...Object.keys(after).flatMap((group) => {
      const old = before[group];
      return old === undefined ? [] : listChanges(`${what} ${group}`, old, after[group] ?? []);
    }),
  ];
}

const kinds: Readonly<Record<InterfaceChange['kind'], readonly string[]>> = {
  added: ['CHANGE', 'FEATURE', 'ENHANCEMENT'],
  broken: ['CHANGE'],
};

/** One line for each change that has no entry of the right kind in `section`, the newest section of CHANGELOG.md. */
export function missingEntries(changes: readonly InterfaceChange[], section: string): readonly string[] {
  const entries = section.split(/^\* /m).map((entry) => {
    const [, kind = '', text = ''] = /^\[(\w+)\] (.*)/s.exec(entry) ?? [];
    return { kind, text };
  });
  return changes
    .filter(({ kind, name }) => {
      const word = new RegExp(`(?<![\\w/-])${name.replaceAll(/\W/g, '\\$&')}(?![\\w-])`);
      return !entries.some((entry) => kinds[kind].includes(entry.kind) && word.test(entry.text));
    })
    .map(({ kind, what, name }) => `${kind}: ${what} (needs an entry ${kinds[kind].join(', ')} that contains ${name})`);
}
