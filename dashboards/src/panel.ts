import {
  AxisPlacement,
  BarGaugeDisplayMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  type DataTransformerConfig,
  FieldColorModeId,
  type FieldConfig,
  type FieldConfigSource,
  type FieldTextAlignment,
  GraphDrawStyle,
  type GraphFieldConfig,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  type Panel,
  SortOrder,
  StackingMode,
  TableCellDisplayMode,
  TableCellHeight,
  TooltipDisplayMode,
  type ValueMapping,
  VisibilityMode,
  VizOrientation,
} from '@grafana/schema';
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type { Options as TableOptions } from '@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen';
import {
  TextMode,
  type Options as TextOptions,
} from '@grafana/schema/dist/esm/raw/composable/text/panelcfg/x/TextPanelCfg_types.gen';
import type { Options as TimeSeriesOptions } from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';
import type { Query } from './query.ts';
import { colours, durationMappings, emptyText, type PanelUnit, rankColours, singleColour, units } from './theme.ts';

/** A reference to a Grafana variable. The linter would report a literal `${...}` as a forgotten template string. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

/** The data source selected on the dashboard. */
export const dataSource = { type: 'prometheus', uid: placeholder('datasource') } as const;

/**
 * Makes the query valid for any account name. With Grafana's default interpolation, a quotation mark in a name breaks the query, and
 * an apostrophe breaks a query with a single-value variable. A backquoted regular expression requires no second escaping.
 */
export function quoted(expr: string): string {
  return expr.replaceAll(/=~?"\$account(\|?)"/g, `=~\`${placeholder('account:regex')}$1\``);
}

/** A panel without id and position. */
export type UnplacedPanel = Omit<Panel, 'id' | 'gridPos'>;

/** A data link of a panel. */
export interface Link {
  readonly title: string;
  readonly url: string;
  /** True if the page opens in a new tab. Set for pages outside Grafana. */
  readonly targetBlank?: true;
}

interface PanelTexts {
  readonly title: string;
  /** Describes the value, and the meaning of a bad value. */
  readonly description: string;
  /** The text of a panel without data. It names the likely cause. */
  readonly noValue: string;
}

type Thresholds = NonNullable<FieldConfig['thresholds']>;

interface StatPanel extends PanelTexts {
  readonly queries: readonly Query[];
  readonly unit: PanelUnit;
  readonly decimals?: number;
  readonly thresholds?: Thresholds;
  readonly mappings?: readonly ValueMapping[];
  /** `value_and_name` also shows the name of the series. */
  readonly show?: 'value' | 'value_and_name';
  /** Titles of labels. Shows these labels instead of the value. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly link?: Link;
}

/** A stat panel: one or a few large numbers. */
export function stat(panel: StatPanel): UnplacedPanel {
  const labels = Object.entries(panel.labels ?? {});
  const options = {
    reduceOptions: {
      calcs: ['lastNotNull'],
      fields: labels.length === 0 ? '' : `/^(${labels.map(([, title]) => title).join('|')})$/`,
      values: false,
    },
    orientation: VizOrientation.Auto,
    textMode: panel.show === 'value_and_name' ? BigValueTextMode.ValueAndName : BigValueTextMode.Value,
    wideLayout: true,
    colorMode: BigValueColorMode.Value,
    graphMode: BigValueGraphMode.None,
    justifyMode: BigValueJustifyMode.Auto,
    showPercentChange: false,
    ...(panel.show === 'value_and_name' && {
      text: { titleSize: panel.queries.some(({ names }) => names) ? 12 : 14, valueSize: 24 },
    }),
  } satisfies Omit<StatOptions, 'percentChangeColorMode'>;
  return {
    type: 'stat',
    title: panel.title,
    description: panel.description,
    datasource: dataSource,
    targets: targets(panel.queries, labels.length === 0 ? 'instant' : 'table'),
    fieldConfig: {
      defaults: {
        ...units[panel.unit],
        ...(panel.decimals !== undefined && { decimals: panel.decimals }),
        color: { mode: FieldColorModeId.Thresholds },
        // The text for missing data has the colour of the lowest default step. The steps of the panel are overrides, because
        // their lowest step may have the colour of the worst state.
        thresholds: singleColour(),
        noValue: panel.noValue,
        ...mappingsOf(panel),
        ...(panel.link && { links: [panel.link] }),
      },
      overrides: [
        ...(panel.thresholds === undefined
          ? []
          : panel.queries.map((_, index) => override('byFrameRefID', refId(index), { thresholds: panel.thresholds }))),
        ...colourOverrides(panel.queries),
        ...labels.map(([label, displayName]) => override('byName', label, { displayName, unit: 'string' })),
      ],
    },
    options,
  };
}

function mappingsOf({ unit, mappings = [] }: Pick<StatPanel, 'unit' | 'mappings'>): {
  readonly mappings?: ValueMapping[];
} {
  const all = [...mappings, ...(unit === 'duration' ? durationMappings : [])];
  return all.length === 0 ? {} : { mappings: all };
}

/** A query of a graph. */
export interface GraphQuery extends Query {
  /** Draws a dashed line without fill, for limits and forecasts. */
  readonly dashed?: boolean;
}

interface GraphPanel extends PanelTexts {
  readonly queries: readonly GraphQuery[];
  readonly unit: PanelUnit;
  readonly min?: number;
  readonly max?: number;
  readonly thresholds?: Thresholds;
  readonly stacked?: boolean;
  /** Draws one bar per interval, such as 1h, instead of a line. */
  readonly barInterval?: string;
  /** Minimum step of the graph. A rate has no shorter window. */
  readonly interval?: string;
  /** Place of the legend. Use `right` for many series. */
  readonly legend?: 'right' | 'bottom' | 'none';
  readonly calcs?: readonly string[];
  readonly mappings?: readonly ValueMapping[];
  readonly link?: Link;
}

/** A time series panel. */
export function graph(panel: GraphPanel): UnplacedPanel {
  const bars = panel.barInterval !== undefined;
  const many = panel.legend === 'right';
  const custom = {
    drawStyle: bars ? GraphDrawStyle.Bars : GraphDrawStyle.Line,
    lineWidth: bars ? 1 : 2,
    fillOpacity: bars ? 80 : panel.stacked ? 40 : panel.queries.length === 1 ? 12 : 0,
    showPoints: VisibilityMode.Never,
    spanNulls: false,
    axisPlacement: AxisPlacement.Auto,
    axisSoftMin: 0,
    stacking: { mode: panel.stacked ? StackingMode.Normal : StackingMode.None, group: 'A' },
    thresholdsStyle: { mode: panel.thresholds ? GraphThresholdsStyleMode.Dashed : GraphThresholdsStyleMode.Off },
  } satisfies GraphFieldConfig;
  const options = {
    legend: {
      showLegend: panel.legend !== 'none',
      displayMode: many ? LegendDisplayMode.Table : LegendDisplayMode.List,
      placement: many ? 'right' : 'bottom',
      calcs: [...(panel.calcs ?? (many ? ['lastNotNull', 'max'] : []))],
    },
    tooltip: { mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending },
  } satisfies TimeSeriesOptions;
  // A smaller step would be slow for a fleet and show no more detail, because no collector polls more often.
  const interval = panel.barInterval ?? panel.interval ?? '5m';
  return {
    type: 'timeseries',
    title: panel.title,
    description: panel.description,
    datasource: dataSource,
    interval,
    targets: targets(panel.queries, 'range'),
    fieldConfig: {
      defaults: {
        ...units[panel.unit],
        color: { mode: FieldColorModeId.PaletteClassic },
        noValue: panel.noValue,
        ...(panel.min !== undefined && { min: panel.min }),
        ...(panel.max !== undefined && { max: panel.max }),
        ...(panel.thresholds && { thresholds: panel.thresholds }),
        ...(panel.mappings && { mappings: [...panel.mappings] }),
        ...(panel.link && { links: [panel.link] }),
        custom,
      },
      overrides: [
        ...colourOverrides(panel.queries),
        ...panel.queries.flatMap((query, index) =>
          query.dashed
            ? [
                override('byFrameRefID', refId(index), {
                  'custom.lineStyle': { fill: 'dash', dash: [8, 6] },
                  'custom.lineWidth': 2,
                  'custom.fillOpacity': 0,
                  'custom.stacking': { mode: StackingMode.None, group: 'A' },
                }),
              ]
            : [],
        ),
      ],
    },
    options,
  };
}

/** One query per expression, in the colours of the ranks. */
export function inRankColours(expressions: readonly string[], legend: string): GraphQuery[] {
  return expressions.map((expr, index) => ({
    expr,
    legend,
    colour: rankColours[index % rankColours.length] ?? colours.muted,
  }));
}

/** A table column: a label, or the value of a query. */
export interface Column {
  /** A label name or the refId of a query. */
  readonly of: string;
  readonly title: string;
  readonly unit?: PanelUnit;
  readonly width?: number;
  readonly thresholds?: Thresholds;
  readonly mappings?: readonly ValueMapping[];
  /** Plain text, coloured text, a coloured background, or a bar from 0 to `max`. */
  readonly cell?: 'text' | 'coloured' | 'filled' | 'bar';
  readonly max?: number;
  readonly decimals?: number;
  readonly link?: Link;
  readonly filterable?: boolean;
  readonly align?: FieldTextAlignment;
  /** The text of an empty cell with a background; a dash by default. */
  readonly empty?: string;
}

interface TablePanel extends PanelTexts {
  /** Each query returns one row per label set. Rows with the same labels are merged. */
  readonly queries: readonly Query[];
  readonly columns: readonly Column[];
  /** The name of a column that replaces the columns of the queries. Its value comes from the query that returns the row. */
  readonly combined?: string;
  /** Labels that distinguish rows but are not shown. */
  readonly hide?: readonly string[];
  /** Column titles in order of precedence. A leading minus sorts in descending order. */
  readonly sortBy: readonly string[];
  readonly thresholds?: Thresholds;
}

/** A table panel. */
export function table(panel: TablePanel): UnplacedPanel {
  const isQuery = (of: string): boolean => /^[A-Z]$/.test(of);
  const fieldOf = (of: string): string => (isQuery(of) ? (panel.queries.length === 1 ? 'Value' : `Value #${of}`) : of);
  const shown = panel.columns.map(({ of }) => fieldOf(of));
  const unusedValues = panel.queries.map((_, index) => fieldOf(refId(index))).filter((name) => !shown.includes(name));
  const hidden = ['Time', ...unusedValues, ...(panel.hide ?? [])];
  const options = {
    frameIndex: 0,
    showHeader: true,
    cellHeight: TableCellHeight.Sm,
    sortBy: panel.sortBy.map((title) =>
      title.startsWith('-') ? { displayName: title.slice(1), desc: true } : { displayName: title, desc: false },
    ),
  } satisfies TableOptions;
  return {
    type: 'table',
    title: panel.title,
    description: panel.description,
    datasource: dataSource,
    targets: targets(panel.queries, 'table'),
    transformations: [
      ...(panel.queries.length > 1 ? [{ id: 'merge', options: {} }] : []),
      ...(panel.combined === undefined ? [] : [combination(panel.combined, unusedValues)]),
      {
        id: 'organize',
        options: {
          excludeByName: Object.fromEntries(hidden.map((name) => [name, true])),
          indexByName: Object.fromEntries(shown.map((name, index) => [name, index])),
          renameByName: {},
        },
      },
    ],
    fieldConfig: {
      defaults: {
        unit: 'none',
        color: { mode: FieldColorModeId.Thresholds },
        thresholds: singleColour(),
        noValue: panel.noValue,
        custom: { align: 'auto', cellOptions: { type: TableCellDisplayMode.Auto }, inspect: false, minWidth: 60 },
      },
      overrides: panel.columns.map((column) => columnOverride(fieldOf(column.of), column, !isQuery(column.of))),
    },
    options,
  };
}

/** Adds a column with the value of the only query that returns the row. */
function combination(alias: string, values: readonly string[]): DataTransformerConfig {
  return {
    id: 'calculateField',
    options: { alias, mode: 'reduceRow', reduce: { include: values, reducer: 'max' }, replaceFields: false },
  };
}

function columnOverride(field: string, column: Column, isLabel: boolean): FieldConfigSource['overrides'][number] {
  return override('byName', field, {
    displayName: column.title,
    noValue: column.empty ?? '–',
    ...(isLabel && { unit: 'string' }),
    ...(column.unit && { unit: units[column.unit].unit, decimals: column.decimals ?? units[column.unit].decimals }),
    ...(column.cell === 'bar' && { min: 0, max: column.max ?? 1 }),
    ...(column.thresholds && {
      thresholds: column.cell === 'bar' ? withBarColour(column.thresholds) : column.thresholds,
    }),
    ...(column.unit && {
      mappings: [...(column.mappings ?? []), ...(column.unit === 'duration' ? durationMappings : []), emptyText('–')],
    }),
    ...(!column.unit &&
      column.mappings && {
        mappings: [
          ...column.mappings,
          ...(column.cell === 'filled' ? [emptyText(column.empty ?? '–', 'transparent')] : []),
        ],
      }),
    ...(column.link && { links: [column.link] }),
    ...(column.width === undefined ? { 'custom.minWidth': 140 } : { 'custom.width': column.width }),
    ...(column.align && { 'custom.align': column.align }),
    ...(column.filterable && { 'custom.filterable': true }),
    ...(column.cell && column.cell !== 'text' && { 'custom.cellOptions': cells[column.cell] }),
  });
}

/** Replaces the neutral text colour, which is unsuitable for bars. */
function withBarColour({ mode, steps }: Thresholds): Thresholds {
  return {
    mode,
    steps: steps.map((step) => (step.color === colours.neutral ? { ...step, color: rankColours[0] } : step)),
  };
}

const cells = {
  coloured: { type: TableCellDisplayMode.ColorText },
  filled: { type: TableCellDisplayMode.ColorBackground, mode: 'basic' },
  bar: { type: TableCellDisplayMode.Gauge, mode: BarGaugeDisplayMode.Basic, valueDisplayMode: 'text' },
} as const;

/** A text panel with Markdown content. */
export function text(title: string, description: string, content: string): UnplacedPanel {
  const options = { mode: TextMode.Markdown, content } satisfies TextOptions;
  return { type: 'text', title, description, options };
}

/** The refId of a query inside its panel. */
export function refId(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function targets(queries: readonly Query[], kind: 'instant' | 'range' | 'table'): NonNullable<Panel['targets']> {
  return queries.map(({ expr, legend }, index) => ({
    refId: refId(index),
    datasource: dataSource,
    editorMode: 'code',
    expr: quoted(expr),
    format: kind === 'table' ? 'table' : 'time_series',
    instant: kind !== 'range',
    range: kind === 'range',
    legendFormat: legend ?? '',
  }));
}

function colourOverrides(queries: readonly Query[]): FieldConfigSource['overrides'] {
  return queries.flatMap(({ colour, names = {} }, index) => [
    ...(colour === undefined
      ? []
      : [override('byFrameRefID', refId(index), { color: { mode: FieldColorModeId.Fixed, fixedColor: colour } })]),
    ...Object.entries(names).map(([name, { text: displayName, colour: look }]) =>
      override('byName', name, {
        displayName,
        ...(typeof look === 'string'
          ? { color: { mode: FieldColorModeId.Fixed, fixedColor: look } }
          : { thresholds: look }),
      }),
    ),
  ]);
}

function override(
  matcher: 'byName' | 'byFrameRefID',
  options: string,
  properties: Readonly<Record<string, unknown>>,
): FieldConfigSource['overrides'][number] {
  return {
    matcher: { id: matcher, options },
    properties: Object.entries(properties).map(([id, value]) => ({ id, value })),
  };
}
