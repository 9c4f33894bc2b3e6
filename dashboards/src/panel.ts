import {
  AxisPlacement,
  BarGaugeDisplayMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  FieldColorModeId,
  type FieldConfigSource,
  type FieldTextAlignment,
  GraphDrawStyle,
  type GraphFieldConfig,
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
import { placeholder, type Query, quoted } from './query.ts';
import type { SeriesLook } from './state.ts';
import { coloured, colours, lineColours, type Unit, units, valueTexts } from './theme.ts';

/** The data source selected on the dashboard. */
export const dataSource = { type: 'prometheus', uid: placeholder('datasource') } as const;

/** A data link of a panel. */
export interface Link {
  readonly title: string;
  readonly url: string;
  /** True if the page opens in a new tab. Set for pages outside Grafana. */
  readonly targetBlank?: true;
}

interface PanelSpec {
  /** Never changes, because links and bookmarks contain it. */
  readonly id: number;
  /** In grid units. A dashboard is 24 units wide. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Describes the value, and the meaning of a bad value. */
  readonly description: string;
}

interface QuerySpec extends PanelSpec {
  /** The text of a panel without data. It names the likely cause. */
  readonly noValue: string;
  readonly queries: readonly Query[];
  /** The looks of series, by the name of the series. The texts in the looks are translated. */
  readonly looks?: Readonly<Record<string, SeriesLook>>;
  readonly link?: Link;
}

type Overrides = FieldConfigSource['overrides'];

function placed({ id, width, height, title, description }: PanelSpec): Omit<Panel, 'type'> {
  return { id, title, description, gridPos: { x: 0, y: 0, w: width, h: height } };
}

interface StatSpec extends QuerySpec {
  readonly unit: Unit;
  readonly mappings?: readonly ValueMapping[];
  /** Shows this label instead of the value. */
  readonly label?: string;
}

/** A stat panel: one or a few large numbers, with their names if the queries have legends. All stat panels have the same font size. */
export function stat(spec: StatSpec): Panel {
  const { label, mappings } = spec;
  const isNamed = spec.queries.some(({ legend }) => legend !== undefined);
  const options = {
    reduceOptions: { calcs: ['lastNotNull'], fields: label === undefined ? '' : `/^${label}$/`, values: false },
    orientation: VizOrientation.Auto,
    textMode: isNamed ? BigValueTextMode.ValueAndName : BigValueTextMode.Value,
    wideLayout: false,
    colorMode: BigValueColorMode.Value,
    graphMode: BigValueGraphMode.None,
    justifyMode: BigValueJustifyMode.Center,
    showPercentChange: false,
    text: { titleSize: 12, valueSize: 22 },
  } satisfies Omit<StatOptions, 'percentChangeColorMode'>;
  return {
    ...placed(spec),
    type: 'stat',
    datasource: dataSource,
    targets: targets(spec.queries, label === undefined ? 'instant' : 'table'),
    fieldConfig: {
      defaults: {
        ...(label === undefined ? units[spec.unit] : { unit: 'string' }),
        color: { mode: FieldColorModeId.Thresholds },
        thresholds: coloured(colours.neutral),
        noValue: spec.noValue,
        ...(mappings && { mappings: [...mappings] }),
        ...(spec.link && { links: [spec.link] }),
      },
      overrides: lookOverrides(spec),
    },
    options,
  };
}

interface GraphSpec extends QuerySpec {
  readonly unit: Unit;
  readonly max?: number;
  /** The axis may begin below zero. */
  readonly canBeNegative?: boolean;
  readonly stacked?: boolean;
  /** Draws one bar per interval, such as 1h, instead of a line. */
  readonly barInterval?: string;
  /** Minimum step of the graph, and minimum window of a rate. */
  readonly interval?: string;
  /** Place of the legend. Use `right` for many series. */
  readonly legend: 'right' | 'bottom' | 'none';
  readonly calcs?: readonly ('lastNotNull' | 'max' | 'mean')[];
}

/** Grafana's names of the calculations. The legend is sorted by one of these names. */
const calculations = { lastNotNull: 'Last *', max: 'Max', mean: 'Mean' } as const;

/** A time series panel. Its axis has as many decimals as its labels need. */
export function graph(spec: GraphSpec): Panel {
  const bars = spec.barInterval !== undefined;
  const isList = spec.legend !== 'right';
  const calcs = spec.calcs ?? (isList ? [] : ['lastNotNull', 'max']);
  const [sortedBy] = calcs;
  const custom = {
    drawStyle: bars ? GraphDrawStyle.Bars : GraphDrawStyle.Line,
    lineWidth: bars ? 1 : 2,
    fillOpacity: bars ? 80 : spec.stacked ? 40 : 0,
    showPoints: VisibilityMode.Never,
    spanNulls: false,
    axisPlacement: AxisPlacement.Auto,
    axisSoftMin: 0,
    stacking: { mode: spec.stacked ? StackingMode.Normal : StackingMode.None, group: 'A' },
  } satisfies GraphFieldConfig;
  const options = {
    legend: {
      showLegend: spec.legend !== 'none',
      displayMode: isList ? LegendDisplayMode.List : LegendDisplayMode.Table,
      placement: isList ? 'bottom' : 'right',
      calcs: [...calcs],
      ...(!isList && sortedBy && { sortBy: calculations[sortedBy], sortDesc: true }),
    },
    tooltip: { mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending },
  } satisfies TimeSeriesOptions;
  return {
    ...placed(spec),
    type: 'timeseries',
    datasource: dataSource,
    // A step below 5m would be slow for a fleet and would show no more detail, because no collector polls more often than that.
    interval: spec.barInterval ?? spec.interval ?? '5m',
    targets: targets(spec.queries, 'range'),
    fieldConfig: {
      defaults: {
        unit: units[spec.unit].unit,
        color: { mode: FieldColorModeId.PaletteClassic },
        noValue: spec.noValue,
        ...(!spec.canBeNegative && { min: 0 }),
        ...(spec.max !== undefined && { max: spec.max }),
        ...(spec.link && { links: [spec.link] }),
        custom,
      },
      overrides: [
        ...lookOverrides(spec),
        ...spec.queries.flatMap(({ colour, dashed }, index) => [
          ...(colour === undefined
            ? []
            : [
                override('byFrameRefID', refId(index), { color: { mode: FieldColorModeId.Fixed, fixedColor: colour } }),
              ]),
          ...(dashed
            ? [
                override('byFrameRefID', refId(index), {
                  'custom.lineStyle': { fill: 'dash', dash: [8, 6] },
                  'custom.fillOpacity': 0,
                  'custom.stacking': { mode: StackingMode.None, group: 'A' },
                }),
              ]
            : []),
        ]),
      ],
    },
    options,
  };
}

/** A table column: a label, or the value of a query. */
export interface Column {
  /** A label name or the refId of a query. */
  readonly of: string;
  readonly title: string;
  /** The unit of values for which `mappings` has no text. */
  readonly unit?: Unit;
  readonly width?: number;
  readonly mappings?: readonly ValueMapping[];
  /** Text in the colours of `mappings`, a background in these colours, or a bar from 0 to `max`. Default: plain text. */
  readonly cell?: 'coloured' | 'filled' | 'bar';
  readonly max?: number;
  readonly link?: Link;
  readonly filterable?: boolean;
  readonly align?: FieldTextAlignment;
}

interface TableSpec extends QuerySpec {
  /** Each query returns one row per label set. Rows with the same labels are merged. */
  readonly queries: readonly Query[];
  readonly columns: readonly Column[];
  /** The name of a column that replaces the columns of the queries. Its value comes from the query that returns the row. */
  readonly combined?: string;
  /** Labels that distinguish rows but are not shown. */
  readonly hide?: readonly string[];
  /** Column titles in order of precedence. A leading minus sorts in descending order. */
  readonly sortBy: readonly string[];
}

/** A table panel. */
export function table(spec: TableSpec): Panel {
  const isQuery = (of: string): boolean => /^[A-Z]$/.test(of);
  const fieldOf = (of: string): string => (isQuery(of) ? (spec.queries.length === 1 ? 'Value' : `Value #${of}`) : of);
  const shown = spec.columns.map(({ of }) => fieldOf(of));
  const unusedValues = spec.queries.map((_, index) => fieldOf(refId(index))).filter((name) => !shown.includes(name));
  const hidden = ['Time', ...unusedValues, ...(spec.hide ?? [])];
  const options = {
    frameIndex: 0,
    showHeader: true,
    cellHeight: TableCellHeight.Sm,
    sortBy: spec.sortBy.map((title) => ({ displayName: title.replace(/^-/, ''), desc: title.startsWith('-') })),
  } satisfies TableOptions;
  return {
    ...placed(spec),
    type: 'table',
    datasource: dataSource,
    targets: targets(spec.queries, 'table'),
    transformations: [
      ...(spec.queries.length > 1 ? [{ id: 'merge', options: {} }] : []),
      ...(spec.combined === undefined
        ? []
        : [
            {
              id: 'calculateField',
              options: { alias: spec.combined, mode: 'reduceRow', reduce: { include: unusedValues, reducer: 'max' } },
            },
          ]),
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
        thresholds: coloured(colours.neutral),
        noValue: spec.noValue,
        custom: { align: 'auto', cellOptions: { type: TableCellDisplayMode.Auto }, inspect: false, minWidth: 60 },
      },
      overrides: spec.columns.map((column) => columnOverride(fieldOf(column.of), column, !isQuery(column.of))),
    },
    options,
  };
}

function columnOverride(field: string, column: Column, isLabel: boolean): Overrides[number] {
  const { cell, unit, width } = column;
  return override('byName', field, {
    displayName: column.title,
    noValue: '–',
    ...(isLabel ? { unit: 'string' } : unit && units[unit]),
    ...(cell && { 'custom.cellOptions': cells[cell] }),
    ...(cell === 'bar' && { min: 0, max: column.max ?? 1, thresholds: coloured(lineColours.first) }),
    ...(cell === 'filled' && { thresholds: coloured('transparent') }),
    ...(column.mappings && { mappings: column.mappings }),
    ...(column.link && { links: [column.link] }),
    ...(width === undefined ? { 'custom.minWidth': 140 } : { 'custom.width': width }),
    ...((column.align ?? cell === 'filled') && { 'custom.align': column.align ?? 'left' }),
    ...(column.filterable && { 'custom.filterable': true }),
  });
}

const cells = {
  coloured: { type: TableCellDisplayMode.ColorText },
  filled: { type: TableCellDisplayMode.ColorBackground, mode: 'basic' },
  bar: { type: TableCellDisplayMode.Gauge, mode: BarGaugeDisplayMode.Basic, valueDisplayMode: 'text' },
} as const;

/** A text panel with Markdown content. */
export function text(spec: PanelSpec & { readonly content: string }): Panel {
  const options = { mode: TextMode.Markdown, content: spec.content } satisfies TextOptions;
  return { ...placed(spec), type: 'text', options };
}

/** The refId of a query inside its panel. */
function refId(index: number): string {
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

function lookOverrides({ looks = {} }: QuerySpec): Overrides {
  return Object.entries(looks).map(([name, { text, colour, value }]) =>
    override('byName', name, {
      displayName: text,
      ...(typeof colour === 'string' && { color: { mode: FieldColorModeId.Fixed, fixedColor: colour } }),
      ...(typeof colour === 'object' && { thresholds: colour }),
      ...(value !== undefined && { mappings: [valueTexts({ 0: value })] }),
    }),
  );
}

function override(
  matcher: 'byName' | 'byFrameRefID',
  options: string,
  properties: Readonly<Record<string, unknown>>,
): Overrides[number] {
  return {
    matcher: { id: matcher, options },
    properties: Object.entries(properties).map(([id, value]) => ({ id, value })),
  };
}
