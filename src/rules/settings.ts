import { z } from 'zod';
import { durationPattern, parseDuration } from './duration.ts';
import { defaultReplicaLabels } from './figures.ts';
import { type Language, languages } from './language.ts';
import { type AlertName, alertNames, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** An enabled severity of an alert. */
export interface LevelSettings {
  readonly value?: number;
  /** A firing alert ends only beyond this value. Set if and only if `value` is set. */
  readonly until?: number;
  readonly for: string;
}

/** An enabled alert with all defaults filled in. */
export interface AlertSettings {
  readonly levels: Readonly<Partial<Record<Severity, LevelSettings>>>;
  readonly keepFiringFor?: string;
  readonly parameters: Readonly<Record<string, number | string>>;
}

const off = z.literal(['off', false]);

/** A schema of strings that match the pattern. Wrong types and wrong strings get the same message. */
function stringMatching(pattern: RegExp, error: string) {
  return z.string({ error }).regex(pattern, { error });
}

const durationText = stringMatching(
  durationPattern,
  'is not a duration; use Prometheus notation, for example 90m or 1h30m',
);

const labelName = stringMatching(
  /^[a-zA-Z_][a-zA-Z0-9_]*$/,
  'is not a label name; use letters, digits and _, and do not start with a digit',
);

// Excludes quotes, backslashes and braces, which have a meaning in Go templates and PromQL strings.
const labelValue = stringMatching(
  /^[^"\\\n{}]+$/,
  'is not a valid label value; use text without quotes, backslashes and braces',
);

const plainText = z.string({ error: 'is not a string; put it in quotes' });

const labels = z.record(labelName, labelValue, {
  error: 'is not a mapping; write lines of "label: value"',
});

function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: 'is not a mapping; write lines of "key: value"' });
}

/** An example threshold for an error message. It is the default of this severity or, if there is none, of another severity. */
function exampleOf({ direction, levels }: Thresholds, severity: Severity): string {
  const level = levels[severity] ?? Object.values(levels)[0];
  return direction === undefined ? `{ for: ${level?.for} }` : `{ ${direction}: ${level?.value}, for: ${level?.for} }`;
}

/** The schema of one severity: an optional threshold and an optional duration. */
function levelSchema(defaults: Thresholds, severity: Severity) {
  const { direction } = defaults;
  const timing = { for: durationText.optional() };
  const number = z.number({ error: 'is not a number; write one in the unit of the alert' }).optional();
  const shape = direction === undefined ? timing : { [direction]: number, until: number, ...timing };
  const problem = direction === undefined ? 'is neither off nor a mapping' : 'is not a threshold';
  const error = `${problem}; write one such as ${exampleOf(defaults, severity)}, or off`;
  return z.union([off, mapping(shape)], { error }).optional();
}

function parameterSchema(value: number | string) {
  if (typeof value === 'string') return durationText.optional();
  const error = `is not a number of 0 or more; write one such as ${value}`;
  return z.number({ error }).min(0, { error }).optional();
}

const keepFiringFor = z.union([off, durationText], {
  error: 'is not a duration; use Prometheus notation, for example 15m, or off',
});

function alertSchema(alert: AlertName) {
  const defaults: Thresholds = thresholds[alert];
  const levels = Object.fromEntries(severities.map((severity) => [severity, levelSchema(defaults, severity)]));
  const parameters = Object.entries(defaults.parameters ?? {}).map(([name, { value }]) => [
    name,
    parameterSchema(value),
  ]);
  const shape = { ...levels, ...Object.fromEntries(parameters), keep_firing_for: keepFiringFor.optional() };
  const highest = severities.find((severity) => defaults.levels[severity] !== undefined) ?? 'warning';
  const example = `{ ${highest}: ${exampleOf(defaults, highest)} }`;
  return z
    .union([off, mapping(shape)], {
      error: `is neither off nor a mapping; write off, or thresholds such as ${example}`,
    })
    .optional()
    .describe(defaults.description)
    .transform((input, context): AlertSettings | undefined => {
      try {
        return resolveAlert(alert, input ?? {});
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    });
}

interface Input {
  readonly [key: string]: unknown;
  readonly for?: unknown;
  readonly keep_firing_for?: unknown;
}

/** Applies the input to the defaults of one alert; undefined if the alert or all its severities are off. */
function resolveAlert(alert: AlertName, input: Input | 'off' | false): AlertSettings | undefined {
  if (input === 'off' || input === false) {
    return undefined;
  }
  const defaults: Thresholds = thresholds[alert];
  const levels: Partial<Record<Severity, LevelSettings>> = {};
  for (const severity of severities) {
    const level = resolveLevel(alert, severity, input[severity]);
    if (level !== undefined) {
      levels[severity] = level;
    }
  }
  const parameters: Record<string, number | string> = {};
  for (const [name, { value }] of Object.entries(defaults.parameters ?? {})) {
    const override = input[name];
    parameters[name] = typeof override === 'number' || typeof override === 'string' ? override : value;
  }
  const keep = input.keep_firing_for ?? defaults.keepFiringFor;
  const resolved = { levels, parameters, ...(typeof keep === 'string' && keep !== 'off' && { keepFiringFor: keep }) };
  validateAlert(alert, resolved);
  return Object.keys(levels).length === 0 ? undefined : resolved;
}

function resolveLevel(alert: AlertName, severity: Severity, input: unknown): LevelSettings | undefined {
  if (input === 'off' || input === false) {
    return undefined;
  }
  const { direction, levels }: Thresholds = thresholds[alert];
  const level = levels[severity];
  if (level === undefined && input === undefined) {
    return undefined;
  }
  const override: Input = typeof input === 'object' && input !== null ? { ...input } : {};
  const value = direction === undefined ? undefined : (override[direction] ?? level?.value);
  const duration = override.for ?? level?.for;
  if (typeof duration !== 'string' || (direction !== undefined && typeof value !== 'number')) {
    const required = direction === undefined ? 'for' : `${direction} and for`;
    throw new Error(`${severity}: this alert has no such severity by default; specify ${required}`);
  }
  if (direction === undefined || typeof value !== 'number') return { for: duration };
  const { value: usual = 0, until: usualEnd = usual } = level ?? {};
  const until = typeof override['until'] === 'number' ? override['until'] : round(value + usualEnd - usual);
  if (direction === 'below' ? until < value : until > value) {
    throw new Error(`${severity}: until must not be ${direction} the threshold, or a firing alert would end at once`);
  }
  return { for: duration, value, until };
}

/** Rejects thresholds in the wrong order. Rejects a `for` of HostingDiskFillingUpFast with which a single upload would fire the alert. */
function validateAlert(alert: AlertName, { levels, parameters }: AlertSettings): void {
  const { direction }: Thresholds = thresholds[alert];
  const values = severities.flatMap((severity) => levels[severity]?.value ?? []);
  const ordered = values.every((value, index) => {
    const lessSevere = values[index + 1];
    return lessSevere === undefined || (direction === 'below' ? value <= lessSevere : value >= lessSevere);
  });
  if (!ordered) {
    throw new Error(`critical must be ${direction} warning, and warning ${direction} info`);
  }
  if (alert === 'HostingDiskFillingUpFast') {
    const { short }: { readonly short?: number | string } = parameters;
    for (const level of Object.values(levels)) {
      if (parseDuration(level.for) < parseDuration(String(short))) {
        throw new Error('for must be at least as long as short, or a single upload fires the alert');
      }
    }
  }
}

/** Rounds so that 0.1 + 0.2 becomes 0.3. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

const alerts = mapping(Object.fromEntries(alertNames.map((alert) => [alert, alertSchema(alert)])))
  .prefault({})
  .describe('Thresholds of each alert. `off` as the value of an alert or of a severity disables it.');

/** Base URL of the English runbooks. Runbooks in another language are in a folder named after the language. */
export const publishedRunbooks =
  'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks';

const factorError = 'is not a number above 0; write one such as 0.02';

/** The keys of the settings file; all are optional. */
export const settingsShape = mapping({
  selector: labels
    .refine(
      (labels) => Object.hasOwn(labels, 'job'),
      'must contain job: without it no alert detects a missing exporter',
    )
    .default({ job: 'hosting' })
    .describe('Labels that select the series of the exporter, with exact values. `job` is required.'),
  replica_labels: z
    .array(labelName, { error: 'is not a list; write one such as [instance]' })
    .min(1, { error: 'is empty; add at least one label, or remove the key' })
    .default([...defaultReplicaLabels])
    .describe('Labels that differ between the exporters of an HA pair. The pair counts as one exporter.'),
  labels: labels.default({}).describe('Labels that are added to every alert, for example for Alertmanager routes.'),
  account_labels: z
    .array(labelName, { error: 'is not a list; write one such as [customer]' })
    .default([])
    .describe(
      'Names of labels that alerts copy from the key `labels` of their account, for example to route notifications by customer. The value is `none` if the account lacks the label.',
    ),
  severities: mapping({
    critical: labelValue.default('critical'),
    warning: labelValue.default('warning'),
    info: labelValue.default('info'),
  })
    .prefault({})
    .describe('Values of the label `severity`.'),
  language: z
    .enum(languages, { error: `is not a language; write one of ${languages.join(', ')}` })
    .default('en')
    .describe('Language of the alert texts: en or ru.'),
  runbook_base_url: plainText
    .default(publishedRunbooks)
    .describe(
      'Base URL of the runbooks; `/<AlertName>.md` is appended. The default leads to the runbooks in the language of the texts.',
    ),
  dashboard_base_url: plainText
    .default('')
    .describe('Base URL of Grafana; `/d/<dashboard>?var-account=...` is appended.'),
  grafana_datasource_uid: plainText
    .default('prometheus')
    .describe('UID of the data source for Grafana-managed alerts.'),
  time_factor: z
    .number({ error: factorError })
    .positive({ error: factorError })
    .default(1)
    .describe(
      'Multiplies every duration. With 0.02, for example, the whole alert chain can be tried in minutes. With a factor other than 1, no tests are generated.',
    ),
  alerts,
});

/** Names of labels that alerts and their expressions already use. */
const takenLabels: ReadonlySet<string> = new Set([
  ...['alertname', 'alertstate', 'severity', 'alert', 'job', 'instance', 'account', 'collector', 'reason', 'kind'],
  ...['site', 'site_id', 'database', 'domain'],
]);

/** Parses a settings file and fills in all defaults. */
export const settingsSchema = settingsShape
  .superRefine(({ account_labels, labels, selector, replica_labels }, context) => {
    const taken = new Set([...takenLabels, ...Object.keys(labels), ...Object.keys(selector), ...replica_labels]);
    for (const [index, name] of account_labels.entries()) {
      const isRepeated = account_labels.indexOf(name) < index;
      if (!taken.has(name) && !isRepeated) continue;
      const message = isRepeated
        ? 'is in the list twice; remove one'
        : 'is a label that alerts have already; choose another name for it in the configuration of the exporter';
      context.addIssue({ code: 'custom', path: ['account_labels', index], message });
    }
  })
  .transform(
    (input): Settings => ({
      selector: input.selector,
      replicaLabels: input.replica_labels,
      labels: input.labels,
      accountLabels: input.account_labels,
      severityNames: input.severities,
      runbookBaseUrl: input.runbook_base_url.replace(/\/+$/, ''),
      dashboardBaseUrl: input.dashboard_base_url.replace(/\/+$/, ''),
      grafanaDatasourceUid: input.grafana_datasource_uid,
      language: input.language,
      timeFactor: input.time_factor,
      alerts: input.alerts,
    }),
  );

/** The settings of a bundle with all defaults filled in. A disabled alert is undefined. */
export interface Settings {
  readonly selector: Readonly<Record<string, string>>;
  readonly replicaLabels: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Names of the account labels that are copied to alerts. */
  readonly accountLabels: readonly string[];
  readonly severityNames: Readonly<Record<Severity, string>>;
  readonly runbookBaseUrl: string;
  readonly dashboardBaseUrl: string;
  readonly grafanaDatasourceUid: string;
  readonly language: Language;
  readonly timeFactor: number;
  readonly alerts: Readonly<Record<string, AlertSettings | undefined>>;
}
