import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Cleanups } from '../fixtures/cleanups.ts';
import { repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { rulesFor } from '../rules/rule-file.ts';
import { type AccountLife, clockSeries, live, Recorder, type Series, start } from './account.ts';

/** The program that `build.ts` compiles from the folder engine. */
export const engine = join(repository, 'node_modules/.cache/lives-engine');

/** A range of hours. */
export type Hours = readonly [from: number, to: number];

/**
 * An expected notification, which begins and ends within these hours. Without `ends`, it lasts until the end of the
 * world.
 */
export interface Want {
  readonly alert: string;
  readonly receiver: Receiver;
  readonly begins: Hours;
  readonly ends?: Hours;
  /** Also right if it does not come. */
  readonly isOptional?: boolean;
}

/** `blackhole` receives alerts that only dashboards show. */
export type Receiver = 'page' | 'mail' | 'blackhole';

/** An account with its expected notifications. Any other notification is wrong. */
export interface Life {
  readonly name: string;
  readonly account: AccountLife;
  /** The same account in a second exporter. */
  readonly replica?: AccountLife;
  readonly wants: readonly Want[];
}

/** Hours in which an exporter does not answer, is no target of Prometheus, or restarts. */
export interface ExporterLife {
  readonly down?: readonly Hours[];
  readonly absent?: readonly Hours[];
  readonly restarts?: readonly number[];
}

/** One Prometheus with its exporters and accounts. */
export interface World {
  readonly name: string;
  readonly hours: number;
  /** Hours before hour 0, scraped every five minutes and evaluated every half hour. */
  readonly history?: number;
  readonly scrapeSeconds?: number;
  /** The minimum interval at which groups are evaluated. */
  readonly evaluationSeconds?: number;
  /** Hours in which Prometheus does not run. */
  readonly away?: readonly Hours[];
  readonly exporters?: Readonly<Record<string, ExporterLife>>;
  /** The hour at which the scrape target gets a label. */
  readonly relabelled?: number;
  readonly lives: readonly Life[];
  /** Expected notifications about all accounts together, or about the exporters. */
  readonly wants?: readonly Want[];
  /** The maximum number of Alertmanager's groups that notify a person. */
  readonly messages?: number;
}

export interface Notification {
  readonly Labels: Readonly<Record<string, string>>;
  readonly Receiver: Receiver;
  readonly Group: string;
  readonly From: number;
  readonly To: number;
}

function want(receiver: Receiver, alert: string, begins: Hours, ends?: Hours): Want {
  return { alert: `Hosting${alert}`, receiver, begins, ...(ends && { ends }) };
}

export const page = (alert: string, begins: Hours, ends?: Hours): Want => want('page', alert, begins, ends);
export const mail = (alert: string, begins: Hours, ends?: Hours): Want => want('mail', alert, begins, ends);
export const info = (alert: string, begins: Hours, ends?: Hours): Want => want('blackhole', alert, begins, ends);
/** Also right if it does not come. */
export const perhaps = (wanted: Want): Want => ({ ...wanted, isOptional: true });

/** Runs a world, and returns its notifications. */
export async function notificationsOf(world: World): Promise<readonly Notification[]> {
  const { history = 96, hours, scrapeSeconds = 60, evaluationSeconds = 60, away = [], exporters = { a: {} } } = world;
  const recorder = new Recorder();
  for (const [index, { account, replica }] of world.lives.entries()) {
    live(recorder, accountName(index), account, -history, hours);
    if (replica !== undefined) live(recorder, accountName(index), replica, -history, hours);
  }
  for (const [instance, { down = [], absent = [], restarts = [] }] of Object.entries(exporters)) {
    const of = (metric: string) => JSON.stringify({ __name__: metric, job: 'hosting', instance });
    recorder.set(of('up'), -history, 1);
    const isIn = (hour: number, parts: readonly Hours[]) => parts.some(([from, to]) => hour >= from && hour < to);
    for (const hour of [...down, ...absent].flat().toSorted((one, other) => one - other)) {
      recorder.set(of('up'), hour, isIn(hour, absent) ? undefined : isIn(hour, down) ? 0 : 1);
    }
    for (const hour of [-history, ...restarts])
      recorder.set(of('process_start_time_seconds'), hour, start + hour * 3600);
  }
  const series = recorder.series((instance) => {
    const { down = [], absent = [] } = exporters[instance] ?? {};
    return [...down, ...absent];
  });
  const clocks = Object.keys(exporters).map((instance): Series => {
    const { clock = 0 } = world.lives.find(({ account }) => (account.exporter?.(0) ?? 'a') === instance)?.account ?? {};
    const { down = [], absent = [] } = exporters[instance] ?? {};
    const labels = { __name__: 'hosting_exporter_clock_timestamp_seconds', job: 'hosting', instance };
    return clockSeries(labels, -history, clock, [...down, ...absent]);
  });
  const cleanups = new Cleanups();
  const rules = join(temporaryFolder(cleanups), 'hosting.rules.yml');
  writeFileSync(rules, rulesFor([...series, ...clocks].map(({ Labels: labels }) => labels['__name__'] ?? '')));
  const input = {
    Rules: rules,
    Alertmanager: join(repository, 'alerts/alertmanager.example.yml'),
    Start: start,
    History: history * 60,
    HistoryStep: 30,
    Minutes: hours * 60,
    ScrapeSeconds: scrapeSeconds,
    EvalSeconds: evaluationSeconds,
    Away: away.map(([from, to]) => [Math.round(from * 60), Math.round(to * 60)]),
    Series: [...series, ...clocks].flatMap((one) => relabelled(one, world.relabelled)),
  };
  const child = spawn(engine, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, GOGC: '400' } });
  child.stdin.end(JSON.stringify(input));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  await cleanups.end();
  if (code !== 0) throw new Error(`the engine failed in the world "${world.name}"`);
  return JSON.parse(output) as readonly Notification[];
}

/** The series with their old labels until this hour, and with one more label from then on. */
function relabelled(series: Series, hour: number | undefined): readonly Series[] {
  if (hour === undefined) return [series];
  const { Labels: labels, At: at, Values: values } = series;
  const next = at.findIndex((minute) => minute >= hour * 60);
  const split = next === -1 ? at.length : next;
  const current = values[split - 1] ?? '';
  return [
    { Labels: labels, At: [...at.slice(0, split), hour * 60], Values: [...values.slice(0, split), ''] },
    {
      Labels: { ...labels, env: 'prod' },
      At: [hour * 60, ...at.slice(split)],
      Values: [current, ...values.slice(split)],
    },
  ];
}

export function accountName(index: number): string {
  return `account${index}`;
}

/** The differences between the notifications and the expected notifications, in words. */
export function differences(
  wants: readonly Want[],
  notifications: readonly Notification[],
  end: number,
): readonly string[] {
  const left = [...notifications];
  const missing = wants.flatMap((wanted) => {
    const index = left.findIndex((one) => fulfils(one, wanted, end));
    if (index !== -1) left.splice(index, 1);
    return index === -1 && wanted.isOptional !== true
      ? [`missing: ${wanted.receiver} ${wanted.alert} from ${span(wanted.begins)} to ${span(wanted.ends)}`]
      : [];
  });
  return [...missing, ...left.map((one) => `not wanted: ${described(one)}`)];
}

function fulfils(one: Notification, { alert, receiver, begins, ends }: Want, end: number): boolean {
  const isIn = (minute: number, [from, to]: Hours) => minute >= from * 60 - 1 && minute <= to * 60 + 1;
  return (
    one.Labels['alertname'] === alert &&
    one.Receiver === receiver &&
    isIn(one.From, begins) &&
    isIn(one.To, ends ?? [end, end])
  );
}

function span(hours: Hours | undefined): string {
  return hours === undefined ? 'the end' : `${hours[0]}-${hours[1]} h`;
}

export function described({ Labels: labels, Receiver: receiver, From: from, To: to }: Notification): string {
  const { alertname, job: _, ...others } = labels;
  const hour = (minute: number) => (minute / 60).toFixed(2);
  return `${receiver} ${alertname} ${JSON.stringify(others)} from ${hour(from)} to ${hour(to)} h`;
}
