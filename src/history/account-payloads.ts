import { itemOf } from '../collectors/collector.ts';
import type { AccountConfig, Config } from '../config/values/config.ts';
import type { AccountSnapshot } from '../results/snapshot.ts';
import { datedCollectors, type KeptItem } from './history-series.ts';

/** Disables all collectors whose payloads contain no dates. */
export function forHistory(config: Config): Config {
  return { ...config, accounts: config.accounts.map(onlyDated) };
}

/** Milliseconds that payloads are kept. No payload must expire before the last payload arrives. */
const keptTime = 30 * 86_400_000;

function onlyDated(account: AccountConfig): AccountConfig {
  const collectors = Object.entries(account.collectors).map(([name, collector]) => {
    const enabled = collector.enabled && datedCollectors.some((dated) => dated.name === name);
    return [name, { ...collector, enabled, maxAge: keptTime }];
  });
  return { ...account, collectors: Object.fromEntries(collectors) };
}

export function keptItems({ name, api, collectors }: AccountConfig, snapshot?: AccountSnapshot): readonly KeptItem[] {
  return datedCollectors.flatMap((collector) => {
    const settings = collectors[collector.name];
    if (!settings?.enabled) return [];
    const { maxSeries } = settings;
    return [...(snapshot?.collectors.get(collector.name)?.payloads ?? [])].flatMap(([key, kept]) => {
      const item = itemOf(collector, key);
      return item === undefined ? [] : [{ account: name, collector, item, kept, settings: { ...api, maxSeries } }];
    });
  });
}
