import { z } from 'zod';
import { durationPattern, seconds } from './duration.ts';
import { defaultReplicaLabels } from './figures.ts';
import { type AlertName, alertNames, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** One severity of an alert as it is written into the bundle. */
export interface LevelSettings {
  readonly value?: number;
  readonly for: string;
}

/** An alert that is switched on, with every figure settled. */
export interface AlertSettings {
  readonly levels: Readonly<Partial<Record<Severity, LevelSettings>>>;
  readonly keepFiringFor?: string;
  readonly knobs: Readonly<Record<string, number | string>>;
}

const off = z.literal(['off', false]);

/** Text of one form, with one message for all that is not. */
function textOf(form: RegExp, error: string) {
  return z.string({ error }).regex(form, { error });
}

const durationText = textOf(
  durationPattern,
  'is not a duration; write one as Prometheus does, for example 90m or 1h30m',
);

const labelName = textOf(
  /^[a-zA-Z_][a-zA-Z0-9_]*$/,
  'is not the name of a label; write letters, digits and _, beginning with no digit',
);

// Go templates and PromQL strings would read these characters as their own.
const labelValue = textOf(
  /^[^"\\\n{}]+$/,
  'is not the value of a label; write text without quotes, backslashes and braces',
);

const plainText = z.string({ error: 'is not text; put it in quotes' });

const labels = z.record(labelName, labelValue, {
  error: 'is not a mapping; write lines of "label: value" below it',
});

function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: 'is not a mapping; write lines of "key: value" below it' });
}

/** A severity of the alert as one writes it: its own default, or where it has none that of another. */
function exampleOf({ direction, levels }: Thresholds, severity: Severity): string {
  const level = levels[severity] ?? Object.values(levels)[0];
  return direction === undefined ? `{ for: ${level?.for} }` : `{ ${direction}: ${level?.value}, for: ${level?.for} }`;
}

/** A value and a duration where given; the schema of one severity of an alert. */
function levelSchema(defaults: Thresholds, severity: Severity) {
  const { direction } = defaults;
  const timing = { for: durationText.optional() };
  const figure = z.number({ error: 'is not a number; write one, in the unit of the alert' }).optional();
  const shape = direction === undefined ? timing : { [direction]: figure, ...timing };
  const what = direction === undefined ? 'is neither off nor a mapping' : 'is not a threshold';
  const error = `${what}; write one such as ${exampleOf(defaults, severity)}, or off`;
  return z.union([off, mapping(shape)], { error }).optional();
}

function knobSchema(value: number | string) {
  if (typeof value === 'string') return durationText.optional();
  const error = `is not a number of 0 or more; write one such as ${value}`;
  return z.number({ error }).min(0, { error }).optional();
}

const keepFiringFor = z.union([off, durationText], {
  error: 'is not a duration; write one as Prometheus does, for example 15m, or off',
});

function alertSchema(alert: AlertName) {
  const defaults: Thresholds = thresholds[alert];
  const levels = Object.fromEntries(severities.map((severity) => [severity, levelSchema(defaults, severity)]));
  const knobs = Object.entries(defaults.knobs ?? {}).map(([name, { value }]) => [name, knobSchema(value)]);
  const shape = { ...levels, ...Object.fromEntries(knobs), keep_firing_for: keepFiringFor.optional() };
  const loudest = severities.find((severity) => defaults.levels[severity] !== undefined) ?? 'warning';
  const example = `{ ${loudest}: ${exampleOf(defaults, loudest)} }`;
  return z
    .union([off, mapping(shape)], {
      error: `is neither off nor a mapping; write off, or thresholds such as ${example}`,
    })
    .optional()
    .describe(defaults.means)
    .transform((given, context): AlertSettings | undefined => {
      try {
        return settle(alert, given ?? {});
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    });
}

interface Given {
  readonly [key: string]: unknown;
  readonly for?: unknown;
  readonly keep_firing_for?: unknown;
}

/** Lays what is given over the defaults of one alert; undefined where nothing of it is left on. */
function settle(alert: AlertName, given: Given | 'off' | false): AlertSettings | undefined {
  if (given === 'off' || given === false) {
    return undefined;
  }
  const defaults: Thresholds = thresholds[alert];
  const levels: Partial<Record<Severity, LevelSettings>> = {};
  for (const severity of severities) {
    const level = settleLevel(alert, severity, given[severity]);
    if (level !== undefined) {
      levels[severity] = level;
    }
  }
  const knobs: Record<string, number | string> = {};
  for (const [name, { value }] of Object.entries(defaults.knobs ?? {})) {
    const other = given[name];
    knobs[name] = typeof other === 'number' || typeof other === 'string' ? other : value;
  }
  const keep = given.keep_firing_for ?? defaults.keepFiringFor;
  const settled = { levels, knobs, ...(typeof keep === 'string' && keep !== 'off' && { keepFiringFor: keep }) };
  checkOrder(alert, settled);
  return Object.keys(levels).length === 0 ? undefined : settled;
}

function settleLevel(alert: AlertName, severity: Severity, given: unknown): LevelSettings | undefined {
  if (given === 'off' || given === false) {
    return undefined;
  }
  const defaults: Thresholds = thresholds[alert];
  const level = defaults.levels[severity];
  const { direction } = defaults;
  const own: Given = typeof given === 'object' && given !== null ? { ...given } : {};
  if (level === undefined && given === undefined) {
    return undefined;
  }
  const value = direction === undefined ? undefined : (own[direction] ?? level?.value);
  const wait = own.for ?? level?.for;
  if (typeof wait !== 'string' || (direction !== undefined && typeof value !== 'number')) {
    const needed = direction === undefined ? 'for' : `${direction} and for`;
    throw new Error(`${severity}: this alert has no such severity by default, so it needs ${needed}`);
  }
  return { for: wait, ...(typeof value === 'number' && { value }) };
}

/** A warning that comes after its critical, or a window longer than `for`, is an error of the settings and not a wish. */
function checkOrder(alert: AlertName, { levels, knobs }: AlertSettings): void {
  const { direction }: Thresholds = thresholds[alert];
  const values = severities.flatMap((severity) => levels[severity]?.value ?? []);
  const ordered = values.every((value, index) => {
    const milder = values[index + 1];
    return milder === undefined || (direction === 'below' ? value <= milder : value >= milder);
  });
  if (!ordered) {
    throw new Error(`critical must lie ${direction} warning, and warning ${direction} info`);
  }
  if (alert === 'HostingDiskFillingUpFast') {
    const { short }: { readonly short?: number | string } = knobs;
    for (const level of Object.values(levels)) {
      if (seconds(level.for) < seconds(String(short))) {
        throw new Error('for must be at least as long as short, or one upload fires the alert');
      }
    }
  }
}

const alerts = mapping(Object.fromEntries(alertNames.map((alert) => [alert, alertSchema(alert)])))
  .prefault({})
  .describe('Thresholds of each alert. `off` in place of an alert or of one severity leaves it out.');

const factorError = 'is not a number above 0; write one, such as 0.02';

/** The keys of the settings file as they are written by hand; every one is optional. */
export const settingsShape = mapping({
  selector: labels
    .refine(
      (labels) => Object.hasOwn(labels, 'job'),
      'must name the job: without it an exporter that is gone is not missed',
    )
    .default({ job: 'hosting' })
    .describe('Labels that select the series of the exporter. Exact values only; `job` must be among them.'),
  replica_labels: z
    .array(labelName, { error: 'is not a list; write one such as [instance]' })
    .min(1, { error: 'is empty; name at least one label in it, or remove the key' })
    .default([...defaultReplicaLabels])
    .describe('Labels that tell the two exporters of an HA pair apart. The pair counts as one.'),
  labels: labels.default({}).describe('Labels that every alert gets, for the routes of your Alertmanager.'),
  severities: mapping({
    critical: labelValue.default('critical'),
    warning: labelValue.default('warning'),
    info: labelValue.default('info'),
  })
    .prefault({})
    .describe('What the label `severity` says for each of the three severities.'),
  runbook_base_url: plainText
    .default('https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks')
    .describe('Where the runbooks are; `/<AlertName>.md` is added.'),
  dashboard_base_url: plainText
    .default('')
    .describe('Address of Grafana, without a slash at the end; `/d/<dashboard>?var-account=...` is added.'),
  grafana_datasource_uid: plainText.default('prometheus').describe('The data source that Grafana-managed alerts ask.'),
  time_factor: z
    .number({ error: factorError })
    .positive({ error: factorError })
    .default(1)
    .describe('Multiplies every duration. For trying the chain in minutes, say 0.02; then no tests are written.'),
  alerts,
});

/** The settings file of the bundle: what is given, with every default filled in. */
export const settingsSchema = settingsShape.transform(
  (given): Settings => ({
    selector: given.selector,
    replicaLabels: given.replica_labels,
    labels: given.labels,
    severityNames: given.severities,
    runbookBaseUrl: given.runbook_base_url.replace(/\/+$/, ''),
    dashboardBaseUrl: given.dashboard_base_url.replace(/\/+$/, ''),
    grafanaDatasourceUid: given.grafana_datasource_uid,
    timeFactor: given.time_factor,
    alerts: given.alerts,
  }),
);

/** The settings of a bundle with every default filled in. An alert that is switched off is undefined. */
export interface Settings {
  readonly selector: Readonly<Record<string, string>>;
  readonly replicaLabels: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly severityNames: Readonly<Record<Severity, string>>;
  readonly runbookBaseUrl: string;
  readonly dashboardBaseUrl: string;
  readonly grafanaDatasourceUid: string;
  readonly timeFactor: number;
  readonly alerts: Readonly<Record<string, AlertSettings | undefined>>;
}
