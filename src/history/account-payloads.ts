import type { AccountConfig, Config } from '../config/config.ts';
import { itemOf } from '../polling/restore.ts';
import type { AccountSnapshot } from '../polling/snapshot.ts';
import { datedCollectors } from './dated-collectors.ts';
import type { KeptItem } from './history-series.ts';

/** The configuration with only those collectors that a history needs. They fetch their lists of sites and databases. */
export function forHistory(config: Config): Config {
  return { ...config, accounts: config.accounts.map(onlyDated) };
}

/** Milliseconds: no payload must expire before all are there. */
const keptTime = 30 * 86_400_000;

function onlyDated(account: AccountConfig): AccountConfig {
  const collectors = Object.entries(account.collectors).map(([name, collector]) => [
    name,
    {
      ...collector,
      enabled: collector.enabled && datedCollectors.some((dated) => dated.name === name),
      maxAge: keptTime,
    },
  ]);
  return { ...account, collectors: Object.fromEntries(collectors) };
}

/** The dated payloads of an account. */
export function keptItems({ name, api, collectors }: AccountConfig, snapshot: AccountSnapshot): readonly KeptItem[] {
  return datedCollectors.flatMap((collector) => {
    const settings = collectors[collector.name];
    if (!settings?.enabled) return [];
    const { maxSeries } = settings;
    return [...(snapshot.collectors.get(collector.name)?.payloads ?? [])].flatMap(([key, kept]) => {
      const item = itemOf(collector, key);
      return item === undefined ? [] : [{ account: name, collector, item, kept, settings: { ...api, maxSeries } }];
    });
  });
}
