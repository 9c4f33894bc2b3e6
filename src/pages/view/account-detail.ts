import { type Item, itemOf } from '../../collectors/collector.ts';
import { siteLoadDetail } from '../../collectors/site-load-detail.ts';
import type { Account } from '../../polling/account.ts';
import { Figures } from '../../store/figures.ts';
import { summarize } from './account-summary.ts';
import { readHistories, sumOf } from './histories.ts';
import { readChanges, readDays } from './trends.ts';

export type AccountDetail = ReturnType<typeof readAccount>;

/** The data that the page of an account shows. The sections of the page look up their figures in `figures`. */
export function readAccount(account: Account, now: number) {
  // Take the load from the API's answers if possible: the first one contains 30 days, which the daily memory must first collect.
  const sites = [...account.store.results(siteLoadDetail.name).keys()].map((key) => itemOf(siteLoadDetail, key) ?? {});
  const loadDays = sumOf(readHistories(account, siteLoadDetail.name, sites).map(({ days }) => days));
  const days = readDays(account, now);
  return {
    summary: summarize(account, now),
    changes: readChanges(account, now),
    excluded: account.excluded,
    ...days,
    loadDays: loadDays ?? days.loadDays,
    figures: new Figures(account.store.families()),
    historiesOf: (collector: string, items: readonly Item[]) => readHistories(account, collector, items),
    /** For each collector: the time of the oldest answer among the current results, in Unix milliseconds. */
    answered: new Map(
      account.pollers.flatMap(({ collector: { name } }) => {
        const times = [...account.store.results(name).values()].map(({ answered }) => answered);
        return times.length === 0 ? [] : [[name, Math.min(...times)] as const];
      }),
    ),
  };
}
