import { MappingType, type ValueMapping } from '@grafana/schema';
import { figures, type Scope } from './figures.ts';
import type { Column } from './panel.ts';
import { lowestRanks, type Problem, problemNames, problemRank, problemRanks, statesOf } from './problems.ts';
import type { Query } from './query.ts';
import { judged } from './severity.ts';
import { colours, valueTexts } from './theme.ts';

/** The words for each problem. */
const words: Readonly<Record<Problem, string>> = {
  missing: 'account missing',
  credentials: 'credentials',
  unreachable: 'API unreachable',
  permission: 'permission',
  stale: 'stale data',
  disk: 'disk',
  forecast: 'disk',
  suspension: 'suspension',
  domain: 'domain',
  backup: 'backup',
  load: 'load',
  inventory: 'inventory',
  dropped: 'series dropped',
};

/** The state of an account without recorded series. */
const unjudged = -1;

/**
 * The state and the most urgent problem of each account as a sortable number; 0 is OK. `accountStateMappings` contains the names.
 */
export function accountState(scope: Scope): string {
  const of = (expression: string): string => `max by (account) (${expression})`;
  const known = [problemRanks(scope), `0 * ${judged(scope)}`].map(of);
  return `${known.join(' or ')} or ${unjudged} + 0 * ${of(figures.accountUp.expression(scope))}`;
}

/** Names of the values of `accountState`. */
export const accountStateMappings = valueTexts({
  ...Object.fromEntries(
    (['critical', 'warning', 'failing'] as const).flatMap((state) =>
      problemNames
        .filter((problem) => statesOf(problem).includes(state))
        .map((problem) => [
          problemRank(problem, state),
          { text: `${state}: ${words[problem]}`, color: state === 'critical' ? colours.critical : colours.warningCell },
        ]),
    ),
  ),
  0: { text: 'OK', color: 'transparent' },
  [unjudged]: { text: 'no rules', color: colours.muted },
});

/** The query of a mark column. The colour of a mark shows the worst of the `marked` problems. */
export function markQuery(scope: Scope, ...marked: readonly Problem[]): Query {
  return { expr: `max by (account) (${problemRanks(scope, ...marked)})` };
}

/** A narrow column left of a figure. Its marks show the severity, because Grafana cannot colour a figure by a threshold of its row. */
export function markColumn(of: string): Column {
  // Grafana requires different titles, and zero-width spaces are invisible.
  const title = `!${'\u200b'.repeat(of.charCodeAt(0) - 'A'.charCodeAt(0))}`;
  return { of, title, mappings: markMappings, cell: 'filled', empty: ' ', width: 50, align: 'center' };
}

const markMappings: readonly ValueMapping[] = [
  mark(lowestRanks.critical, null, '!!', colours.critical),
  mark(0, lowestRanks.critical, '!', colours.warningCell),
];

function mark(from: number, to: number | null, text: string, color: string): ValueMapping {
  return { type: MappingType.RangeToText, options: { from, to, result: { text, color, index: 0 } } };
}
