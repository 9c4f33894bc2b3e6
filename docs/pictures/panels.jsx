// Draws a dashboard with Grafana's own components. The page has the dashboard and the answers of Prometheus as `data`.

import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  createTheme,
  dateTime,
  FieldConfigOptionsRegistry,
  FieldType,
  getFieldDisplayValues,
  identityOverrideProcessor,
  standardTransformers,
  standardTransformersRegistry,
  ThemeContext,
  toDataFrame,
  transformDataFrame,
} from '@grafana/data';
import {
  BigValue,
  GlobalStyles,
  PanelChrome,
  PanelContextProvider,
  PortalContainer,
  TimeSeries,
  VizRepeater,
} from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';
import { createRoot } from 'react-dom/client';
import { lastValueFrom } from 'rxjs';

const { dashboard, answers, from, to } = globalThis.data;
globalThis.__grafana_public_path__ = '/public/';
const theme = createTheme({ colors: { mode: globalThis.data.theme } });
const [start, end] = [dateTime(from * 1000), dateTime(to * 1000)];
const timeRange = { from: start, to: end, raw: { from: start, to: end } };
const transformers = new Map(Object.values(standardTransformers).map((one) => [one.id, one]));
standardTransformersRegistry.setInit(() =>
  [...transformers.values()].map((one) => ({ id: one.id, name: one.name, transformation: async () => one })),
);

/** Grafana's grid: 24 columns, and rows of 30 pixels, with gaps of 8 pixels. */
const gap = 8;
const rowHeight = 30;
const column = (innerWidth - gap * 25) / 24;

function number(name, series, values, legend) {
  const name_ = legend.replace(/\{\{(.+?)\}\}/g, (_, label) => series.labels[label] ?? '');
  return { name, type: FieldType.number, labels: series.labels, config: { displayNameFromDS: name_ }, values };
}

/** The data frames that Grafana's Prometheus data source makes of the answers to a query. */
function framesOf({ refId, legend, format, step, series }, isOnly) {
  if (format === 'table') {
    const labels = [...new Set(series.flatMap((one) => Object.keys(one.labels)))];
    const texts = labels.map((label) => ({
      name: label,
      type: FieldType.string,
      config: { filterable: true },
      values: series.map((one) => one.labels[label] ?? ''),
    }));
    const values = { name: isOnly ? 'Value' : `Value #${refId}`, type: FieldType.number };
    const time = { name: 'Time', type: FieldType.time, values: series.map(() => to * 1000) };
    return [
      toDataFrame({ refId, fields: [time, ...texts, { ...values, values: series.map((one) => one.values[0]) }] }),
    ];
  }
  return series.map((one) => {
    const times = step === undefined ? [to] : one.times;
    const known = new Map(times.map((time, index) => [time, one.values[index]]));
    const all =
      step === undefined ? [to] : Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
    const time = {
      name: 'Time',
      type: FieldType.time,
      config: { interval: (step ?? 0) * 1000 },
      values: all.map((at) => at * 1000),
    };
    const values = all.map((at) => known.get(at) ?? null);
    return toDataFrame({ refId, fields: [time, number('Value', one, values, legend)] });
  });
}

/** Every property that the panel sets, because Grafana ignores unregistered ones. */
function registryOf({ defaults = {}, overrides = [] }) {
  const { custom = {}, ...own } = defaults;
  const ids = new Set([
    ...Object.keys(own),
    ...Object.keys(custom).map((name) => `custom.${name}`),
    ...overrides.flatMap(({ properties }) => properties.map(({ id }) => id)),
  ]);
  const registry = new FieldConfigOptionsRegistry();
  for (const id of ids) {
    const isCustom = id.startsWith('custom.');
    const path = isCustom ? id.slice('custom.'.length) : id;
    registry.register({ id, path, isCustom, name: id, process: identityOverrideProcessor, shouldApply: () => true });
  }
  return registry;
}

/** Defaults of the graph options that the dashboards leave out. */
const graphDefaults = {
  lineInterpolation: 'linear',
  pointSize: 5,
  gradientMode: 'none',
  scaleDistribution: { type: 'linear' },
  hideFrom: { legend: false, tooltip: false, viz: false },
};

async function prepared(panel) {
  const queries = answers[panel.id] ?? [];
  const frames = queries.flatMap((query) => framesOf(query, queries.length === 1));
  const interpolate = (text) => text ?? '';
  const transformed = panel.transformations
    ? await lastValueFrom(transformDataFrame(panel.transformations, frames, { interpolate }))
    : frames;
  const fieldConfig = structuredClone(panel.fieldConfig ?? { defaults: {}, overrides: [] });
  if (panel.type === 'timeseries') fieldConfig.defaults.custom = { ...graphDefaults, ...fieldConfig.defaults.custom };
  const thresholds = [
    fieldConfig.defaults.thresholds,
    ...fieldConfig.overrides.flatMap(({ properties }) =>
      properties.filter(({ id }) => id === 'thresholds').map(({ value }) => value),
    ),
  ];
  // JSON has no infinity.
  for (const step of thresholds.flatMap((one) => one?.steps ?? [])) step.value ??= -Infinity;
  cacheFieldDisplayNames(transformed);
  const data = applyFieldOverrides({
    data: transformed,
    fieldConfig,
    replaceVariables: interpolate,
    theme,
    timeZone: 'utc',
    fieldConfigRegistry: registryOf(fieldConfig),
  });
  cacheFieldDisplayNames(data);
  return { ...panel, fieldConfig, data };
}

function Stat({ panel, width, height }) {
  const { options, fieldConfig, data } = panel;
  const values = getFieldDisplayValues({
    fieldConfig,
    reduceOptions: options.reduceOptions,
    replaceVariables: (text) => text,
    theme,
    data,
    timeZone: 'utc',
  });
  return (
    <VizRepeater
      getValues={() => values}
      width={width}
      height={height}
      source={data}
      renderCounter={0}
      autoGrid
      orientation={options.orientation}
      renderValue={({ value, width, height, count }) => (
        <BigValue
          value={value.display}
          count={count}
          width={width}
          height={height}
          theme={theme}
          text={options.text}
          colorMode={options.colorMode}
          graphMode={options.graphMode}
          justifyMode={options.justifyMode}
          textMode={options.textMode}
          disableWideLayout={!options.wideLayout}
        />
      )}
    />
  );
}

function Visualization({ panel, width, height }) {
  const { type, options, data, fieldConfig } = panel;
  if (!data.some(({ length }) => length > 0)) {
    return <div style={{ display: 'grid', placeItems: 'center', height }}>{fieldConfig.defaults.noValue}</div>;
  }
  if (type === 'stat') return <Stat panel={panel} width={width} height={height} />;
  const common = { width, height, timeRange, structureRev: 1 };
  if (type === 'table') {
    const { sortBy, cellHeight } = options;
    return (
      <TableNG
        {...common}
        {...{ sortBy, cellHeight, fieldConfig }}
        data={data[0]}
        enableVirtualization={false}
        getActions={() => []}
      />
    );
  }
  return <TimeSeries {...common} frames={data} timeZone="utc" options={options} legend={options.legend} />;
}

const context = {
  eventsScope: 'dashboard',
  eventBus: {
    getStream: () => ({
      subscribe: () => ({ unsubscribe() {} }),
      pipe: () => ({ subscribe: () => ({ unsubscribe() {} }) }),
    }),
    publish() {},
    removeAllListeners() {},
    newScopedBus: () => context.eventBus,
  },
};

function place({ x, y, w, h }) {
  return {
    position: 'absolute',
    left: gap + x * (column + gap),
    top: y * (rowHeight + gap),
    width: w * (column + gap) - gap,
    height: h * (rowHeight + gap) - gap,
  };
}

function PlacedPanel({ panel }) {
  const style = place(panel.gridPos);
  if (panel.type === 'row')
    return <div style={{ ...style, fontWeight: 500 }}>{`${panel.collapsed ? '▸' : '▾'} ${panel.title}`}</div>;
  return (
    <div style={style}>
      <PanelChrome
        title={panel.title}
        description={panel.description}
        width={style.width}
        height={style.height}
        padding={panel.type === 'table' ? 'none' : 'md'}
      >
        {(width, height) => (
          <PanelContextProvider value={context}>
            <Visualization panel={panel} width={width} height={height} />
          </PanelContextProvider>
        )}
      </PanelChrome>
    </div>
  );
}

const panels = await Promise.all(dashboard.panels.map((panel) => (panel.type === 'row' ? panel : prepared(panel))));
const bottom = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
createRoot(document.getElementById('root')).render(
  <ThemeContext.Provider value={theme}>
    <GlobalStyles />
    <h1 style={{ fontSize: 18, margin: 0, padding: gap }}>{dashboard.title}</h1>
    <div style={{ position: 'relative', height: bottom * (rowHeight + gap) }}>
      {panels.map((panel) => (
        <PlacedPanel key={panel.id} panel={panel} />
      ))}
    </div>
    <PortalContainer />
  </ThemeContext.Provider>,
);

/** Whether each table with data has cells. Grafana draws tables some frames after the rest. */
const tables = panels.filter(({ type, data }) => type === 'table' && data.some(({ length }) => length > 0)).length;
globalThis.areTablesDrawn = () => {
  const isShown = (cell) => cell?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const grids = [...document.querySelectorAll('[role=grid]')];
  return grids.filter((grid) => isShown(grid.querySelector('[role=gridcell]'))).length === tables;
};
