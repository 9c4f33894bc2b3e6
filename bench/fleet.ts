import type { Collector, MetricDescription } from '../src/collectors/collector.ts';
import type { Family, Sample } from '../src/collectors/family.ts';
import { collectors } from '../src/collectors/list.ts';

/** Size of each account: about 340 series, as is typical for customers of a small agency. */
const sites = 10;
const databases = 6;
const seriesPerAccount = 338;

/** Number of accounts that together have about `series` series, including the exporter's own metrics. */
export function accountsFor(series: number): number {
  return Math.max(1, Math.round(series / seriesPerAccount));
}

export function accountName(index: number): string {
  return `customer-${String(index + 1).padStart(5, '0')}`;
}

/** The result of one item of a collector. */
export interface Result {
  readonly collector: string;
  readonly item: string;
  readonly families: readonly Family[];
  /** As JSON. */
  readonly payload: string;
}

/** One result for each item of each collector of an account. All metrics have random values. */
export function generateResults(account: string): readonly Result[] {
  return collectors.flatMap((collector) => {
    const { name, metrics } = collector;
    // The collector `sites` already provides the same series.
    if (name === 'frozen_sites') return [];
    return itemsOf(collector).map(({ key, rows }) => {
      const families = metrics.map((metric) => createFamily(metric, account, rows ?? rowsOf(metric)));
      const payload = name.endsWith('_load_detail') ? createHistory() : families.map(({ samples }) => samples);
      return { collector: name, item: key, families, payload: JSON.stringify(payload) };
    });
  });
}

/** Creates a payload as large as that of stat/getSiteLoad: 24 hours and 30 days. */
function createHistory() {
  const rowsOf = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => {
      const start = index * length + 1_780_000_000_000;
      return { period: { start, end: start + length }, value: valueFor('hosting_site_load_hourly') };
    });
  return { hours: rowsOf(24, 3_600_000), days: rowsOf(30, 86_400_000) };
}

type Row = Readonly<Record<string, string>>;

const siteRows = Array.from({ length: sites }, (_, index) => ({
  site_id: String(48_211 + 37 * index),
  site: `shop-${index + 1}.example`,
  domain: index % 5 === 4 ? `магазин-${index + 1}.испытание` : `shop-${index + 1}.example`,
}));
const databaseRows = Array.from({ length: databases }, (_, index) => ({
  database: `u12345_shop${index + 1}`,
  user: `u12345_${index + 1}`,
}));

/** The items of a collector. An item of a fan-out has one row. A list collector has one item, whose metrics have their own rows. */
function itemsOf({
  itemLabels,
  metrics,
}: Collector): readonly { readonly key: string; readonly rows?: readonly Row[] }[] {
  const [metric] = metrics;
  if (itemLabels.length === 0 || metric === undefined) return [{ key: '' }];
  return rowsOf(metric).map((row) => ({ key: JSON.stringify(row), rows: [row] }));
}

function rowsOf({ labelNames }: MetricDescription): readonly Row[] {
  if (labelNames.includes('site_id') || labelNames.includes('domain')) return siteRows;
  if (labelNames.includes('database')) return databaseRows;
  if (labelNames.includes('kind')) return [{ kind: 'files' }, { kind: 'databases' }];
  if (labelNames.includes('state')) return [{ state: 'enabled' }, { state: 'disabled' }];
  return [{}];
}

function createFamily({ name, labelNames }: MetricDescription, account: string, rows: readonly Row[]): Family {
  const samples: readonly Sample[] = rows.map((row) => ({
    labels: Object.fromEntries(
      labelNames.map((label) => [label, label === 'account' ? account : (row[label] ?? label)]),
    ),
    value: valueFor(name),
  }));
  return { name, labelNames, samples };
}

/** A value with a realistic number of digits. Digits are most of the compressed size. */
function valueFor(metric: string): number {
  if (metric.endsWith('_info')) return 1;
  if (metric.endsWith('_bytes')) return Math.round(Math.random() * 1e10);
  if (metric.endsWith('_timestamp_seconds')) return Math.round(Date.now() / 1000 - Math.random() * 1e6);
  return Math.round(Math.random() * 2000) / 100;
}
