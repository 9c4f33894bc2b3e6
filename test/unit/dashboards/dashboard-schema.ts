import { z } from 'zod';

// The part of Grafana's classic schema that these dashboards use. Unknown names are errors.

const prometheus = z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) });

const colour = z.union([z.string().regex(/^#[0-9A-F]{6}$/), z.enum(['text', 'transparent'])]);

const thresholds = z.strictObject({
  mode: z.literal('absolute'),
  steps: z
    .array(z.strictObject({ value: z.number().nullable(), color: colour }))
    .min(1)
    .refine(([first]) => first?.value === null, 'the first step starts below everything')
    .refine((steps) => {
      const values = steps.slice(1).map(({ value }) => value ?? Number.NaN);
      return values.every((value, index) => index === 0 || value > (values[index - 1] ?? Number.NaN));
    }, 'steps go up'),
});

const result = z.strictObject({ text: z.string().min(1), index: z.int(), color: colour.optional() });

const mapping = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('value'), options: z.record(z.string(), result) }),
  z.strictObject({
    type: z.literal('range'),
    options: z.strictObject({ from: z.number().nullable(), to: z.number().nullable(), result }),
  }),
  z.strictObject({
    type: z.literal('regex'),
    options: z.strictObject({ pattern: z.string().startsWith('/'), result }),
  }),
  z.strictObject({
    type: z.literal('special'),
    options: z.strictObject({ match: z.enum(['null', 'nan', 'null+nan', 'empty']), result }),
  }),
]);

const link = z.union([
  z.strictObject({ title: z.string().min(1), url: z.string().startsWith('/d/') }),
  z.strictObject({ title: z.string().min(1), url: z.string().startsWith('https://'), targetBlank: z.literal(true) }),
]);

const colourMode = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('fixed'), fixedColor: colour }),
  z.strictObject({ mode: z.enum(['thresholds', 'palette-classic']) }),
]);

const stacking = z.strictObject({ mode: z.enum(['none', 'normal']), group: z.string() });

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['auto', 'color-text']) }),
  z.strictObject({ type: z.literal('color-background'), mode: z.enum(['basic', 'gradient']) }),
  z.strictObject({
    type: z.literal('gauge'),
    mode: z.enum(['basic', 'gradient', 'lcd']),
    valueDisplayMode: z.enum(['text', 'color', 'hidden']),
  }),
]);

/** Allowed properties of an override. */
const property = z.discriminatedUnion('id', [
  z.strictObject({ id: z.literal('displayName'), value: z.string().min(1) }),
  z.strictObject({ id: z.literal('noValue'), value: z.string().min(1) }),
  z.strictObject({ id: z.literal('unit'), value: z.string().min(1) }),
  z.strictObject({ id: z.enum(['decimals', 'min', 'max']), value: z.number() }),
  z.strictObject({ id: z.literal('thresholds'), value: thresholds }),
  z.strictObject({ id: z.literal('mappings'), value: z.array(mapping) }),
  z.strictObject({ id: z.literal('links'), value: z.array(link) }),
  z.strictObject({ id: z.literal('color'), value: colourMode }),
  z.strictObject({
    id: z.enum(['custom.width', 'custom.minWidth', 'custom.lineWidth', 'custom.fillOpacity']),
    value: z.number(),
  }),
  z.strictObject({ id: z.literal('custom.align'), value: z.enum(['auto', 'left', 'right', 'center']) }),
  z.strictObject({ id: z.literal('custom.filterable'), value: z.boolean() }),
  z.strictObject({ id: z.literal('custom.cellOptions'), value: cell }),
  z.strictObject({ id: z.literal('custom.stacking'), value: stacking }),
  z.strictObject({
    id: z.literal('custom.lineStyle'),
    value: z.strictObject({ fill: z.enum(['solid', 'dash', 'dot']), dash: z.array(z.number()) }),
  }),
]);

const overrides = z.array(
  z.strictObject({
    matcher: z.strictObject({ id: z.enum(['byName', 'byFrameRefID']), options: z.string().min(1) }),
    properties: z.array(property).min(1),
  }),
);

const defaults = {
  unit: z.string().min(1),
  decimals: z.int().optional(),
  color: colourMode,
  thresholds: thresholds.optional(),
  mappings: z.array(mapping).min(1).optional(),
  links: z.array(link).min(1).optional(),
  noValue: z.string().min(1),
  min: z.number().optional(),
  max: z.number().optional(),
};

const target = z.strictObject({
  refId: z.string().regex(/^[A-Z]$/),
  datasource: prometheus,
  editorMode: z.literal('code'),
  expr: z.string().min(1),
  format: z.enum(['table', 'time_series']),
  instant: z.boolean(),
  range: z.boolean(),
  legendFormat: z.string(),
});

const gridPos = z.strictObject({
  x: z.int().min(0).max(23),
  y: z.int().min(0),
  w: z.int().min(1).max(24),
  h: z.int().min(1),
});

const common = {
  id: z.int().positive(),
  title: z.string().min(1),
  description: z.string().min(1),
  gridPos,
};

const queried = { ...common, datasource: prometheus, targets: z.array(target).min(1) };

const stat = z.strictObject({
  ...queried,
  type: z.literal('stat'),
  fieldConfig: z.strictObject({ defaults: z.strictObject(defaults), overrides }),
  options: z.strictObject({
    reduceOptions: z.strictObject({
      calcs: z.tuple([z.literal('lastNotNull')]),
      fields: z.string(),
      values: z.literal(false),
    }),
    orientation: z.enum(['auto', 'horizontal', 'vertical']),
    textMode: z.enum(['auto', 'value', 'value_and_name', 'name', 'none']),
    wideLayout: z.boolean(),
    colorMode: z.enum(['none', 'value', 'background', 'background_solid']),
    graphMode: z.enum(['none', 'line', 'area']),
    justifyMode: z.enum(['auto', 'center']),
    showPercentChange: z.boolean(),
    text: z.strictObject({ titleSize: z.number(), valueSize: z.number() }).optional(),
  }),
});

const timeseries = z.strictObject({
  ...queried,
  type: z.literal('timeseries'),
  interval: z
    .string()
    .regex(/^\d+[smhd]$/)
    .optional(),
  fieldConfig: z.strictObject({
    defaults: z.strictObject({
      ...defaults,
      custom: z.strictObject({
        drawStyle: z.enum(['line', 'bars', 'points']),
        lineWidth: z.number(),
        fillOpacity: z.number(),
        showPoints: z.enum(['auto', 'never', 'always']),
        spanNulls: z.boolean(),
        axisPlacement: z.enum(['auto', 'left', 'right', 'hidden']),
        axisSoftMin: z.number(),
        stacking,
        thresholdsStyle: z.strictObject({ mode: z.enum(['off', 'line', 'dashed']) }),
      }),
    }),
    overrides,
  }),
  options: z.strictObject({
    legend: z.strictObject({
      showLegend: z.boolean(),
      displayMode: z.enum(['list', 'table']),
      placement: z.enum(['bottom', 'right']),
      calcs: z.array(z.enum(['lastNotNull', 'max', 'mean'])),
    }),
    tooltip: z.strictObject({ mode: z.enum(['single', 'multi', 'none']), sort: z.enum(['none', 'asc', 'desc']) }),
  }),
});

const table = z.strictObject({
  ...queried,
  type: z.literal('table'),
  transformations: z.array(
    z.discriminatedUnion('id', [
      z.strictObject({ id: z.literal('merge'), options: z.strictObject({}) }),
      z.strictObject({
        id: z.literal('calculateField'),
        options: z.strictObject({
          alias: z.string(),
          mode: z.literal('reduceRow'),
          reduce: z.strictObject({ include: z.array(z.string()), reducer: z.literal('max') }),
          replaceFields: z.literal(false),
        }),
      }),
      z.strictObject({
        id: z.literal('organize'),
        options: z.strictObject({
          excludeByName: z.record(z.string(), z.literal(true)),
          indexByName: z.record(z.string(), z.int()),
          renameByName: z.strictObject({}),
        }),
      }),
    ]),
  ),
  fieldConfig: z.strictObject({
    defaults: z.strictObject({
      ...defaults,
      custom: z.strictObject({
        align: z.enum(['auto', 'left', 'right', 'center']),
        cellOptions: cell,
        inspect: z.boolean(),
        minWidth: z.number(),
      }),
    }),
    overrides,
  }),
  options: z.strictObject({
    frameIndex: z.literal(0),
    showHeader: z.boolean(),
    cellHeight: z.enum(['sm', 'md', 'lg']),
    sortBy: z.array(z.strictObject({ displayName: z.string().min(1), desc: z.boolean() })).min(1),
  }),
});

const text = z.strictObject({
  ...common,
  type: z.literal('text'),
  options: z.strictObject({ mode: z.literal('markdown'), content: z.string().min(1) }),
});

const panel = z.discriminatedUnion('type', [stat, timeseries, table, text]);

const row = z.strictObject({
  id: z.int().positive(),
  type: z.literal('row'),
  title: z.string().min(1),
  collapsed: z.boolean(),
  gridPos,
  panels: z.array(panel),
});

const variable = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('datasource'),
    name: z.literal('datasource'),
    label: z.string().min(1),
    query: z.literal('prometheus'),
    // Only in the format of grafana.com, after the import.
    current: z.strictObject({ text: z.string().min(1), value: z.string().min(1) }).optional(),
    hide: z.literal(0),
    includeAll: z.literal(false),
    multi: z.literal(false),
    options: z.tuple([]),
    refresh: z.literal(1),
    regex: z.string(),
  }),
  z.strictObject({
    type: z.literal('query'),
    name: z.string().regex(/^[a-z]+$/),
    label: z.string().min(1),
    datasource: prometheus,
    definition: z.string().min(1),
    query: z.strictObject({ query: z.string().min(1), refId: z.string().min(1) }),
    refresh: z.literal(2),
    sort: z.int(),
    regex: z.string(),
    hide: z.literal(0),
    options: z.tuple([]),
    multi: z.boolean(),
    includeAll: z.boolean(),
    allValue: z.literal('.+').optional(),
    current: z.strictObject({ text: z.literal('All'), value: z.literal('$__all') }).optional(),
  }),
]);

const annotation = z.union([
  z.strictObject({
    builtIn: z.literal(1),
    datasource: z.strictObject({ type: z.literal('grafana'), uid: z.literal('-- Grafana --') }),
    enable: z.boolean(),
    hide: z.boolean(),
    iconColor: z.string(),
    name: z.literal('Annotations & Alerts'),
    type: z.literal('dashboard'),
  }),
  z.strictObject({
    name: z.string().min(1),
    datasource: prometheus,
    enable: z.boolean(),
    hide: z.boolean(),
    iconColor: colour,
    expr: z.string().min(1),
    step: z.string(),
    titleFormat: z.string(),
    textFormat: z.string(),
    tagKeys: z.string(),
    useValueForTime: z.boolean(),
  }),
]);

/** A dashboard that Grafana 10.4 and later imports. */
export const dashboardSchema = z.strictObject({
  uid: z.string().regex(/^[a-z-]{1,40}$/),
  title: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string()).min(1),
  schemaVersion: z.literal(39),
  editable: z.literal(false),
  graphTooltip: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  refresh: z.string().regex(/^\d+[smh]$/),
  time: z.strictObject({ from: z.string().regex(/^now-\d+[hd]$/), to: z.literal('now') }),
  timezone: z.literal(''),
  links: z.array(
    z.strictObject({
      title: z.string().min(1),
      tooltip: z.string().min(1),
      type: z.literal('link'),
      url: z.string().startsWith('/d/'),
      icon: z.string(),
      tags: z.array(z.string()),
      asDropdown: z.boolean(),
      targetBlank: z.boolean(),
      includeVars: z.boolean(),
      keepTime: z.literal(true),
    }),
  ),
  templating: z.strictObject({ list: z.array(variable).min(2) }),
  annotations: z.strictObject({ list: z.array(annotation).min(1) }),
  panels: z.array(z.union([panel, row])).min(1),
});
