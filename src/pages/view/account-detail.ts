import type { Item } from '../../collectors/collector.ts';
import type { Account } from '../../polling/account.ts';
import { Figures } from '../../store/figures.ts';
import { summarize } from './account-summary.ts';
import { readHistories } from './histories.ts';
import { readChanges, readDays } from './trends.ts';

export type AccountDetail = ReturnType<typeof readAccount>;

/** What the page of an account shows. The sections of the page look up their figures. */
export function readAccount(account: Account, now: number) {
  return {
    summary: summarize(account, now),
    changes: readChanges(account, now),
    excluded: account.excluded,
    ...readDays(account, now),
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
