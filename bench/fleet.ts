import type { Collector, MetricDescription } from '../src/collectors/collector.ts';
import type { Family, Sample } from '../src/collectors/family.ts';
import { collectors } from '../src/collectors/list.ts';
import { KeptPayload } from '../src/results/kept-payload.ts';

/** Size of each account, typical of a small agency's customers; about 340 series. */
const sites = 10;
const databases = 6;
const seriesPerAccount = 338;

/** Number of accounts with about this many series, including the exporter's own metrics. */
export function accountsFor(series: number): number {
  return Math.max(1, Math.round(series / seriesPerAccount));
}

export function accountName(index: number): string {
  return `customer-${String(index + 1).padStart(5, '0')}`;
}

/** What one poll of a list collector, or one item of a fan-out, produces. */
export interface Result {
  readonly collector: string;
  readonly item: string;
  readonly families: readonly Family[];
  readonly payload: KeptPayload;
}

/** Results as if every collector of an account was polled once: every metric, with random values. */
export function generateResults(account: string): readonly Result[] {
  return collectors.flatMap((collector) => {
    const { name, metrics } = collector;
    // `sites` already has these series, and an account has them from only one of the two.
    if (name === 'frozen_sites') return [];
    return itemsOf(collector).map(({ key, rows }) => {
      const families = metrics.map((metric) => createFamily(metric, account, rows ?? rowsOf(metric)));
      const payload = name.endsWith('_load_detail') ? createHistory() : families.map(({ samples }) => samples);
      return { collector: name, item: key, families, payload: new KeptPayload(payload, arrival) };
    });
  });
}

const arrival = { answered: Date.now(), providerTime: Date.now(), complete: true };

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

/** The items of a fan-out with one row each; a list collector has one item, and each of its metrics has its own rows. */
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

/** A value with a realistic number of digits, because digits dominate the compressed size. */
function valueFor(metric: string): number {
  if (metric.endsWith('_info')) return 1;
  if (metric.endsWith('_bytes')) return Math.round(Math.random() * 1e10);
  if (metric.endsWith('_timestamp_seconds')) return Math.round(Date.now() / 1000 - Math.random() * 1e6);
  return Math.round(Math.random() * 2000) / 100;
}
