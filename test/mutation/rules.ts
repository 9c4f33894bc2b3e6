import { parseArgs } from 'node:util';
import { ruleGroups } from '../../src/rules/bundle.ts';
import { scaleDuration } from '../../src/rules/duration.ts';
import type { Rule, RuleGroup } from '../../src/rules/rule.ts';
import { settingsSchema } from '../../src/rules/settings.ts';
import { hashText } from '../../src/sandbox/figures/noise.ts';
import { tokensOf } from '../fixtures/promql.ts';
import { edges, failureAt } from '../integration/rules/edges.ts';
import { failuresOf } from '../integration/rules/failures.ts';
import { alertsWithInput, rulesOf } from '../integration/rules/groups.ts';
import { scenarios } from '../integration/rules/scenarios.ts';

// Mutates expressions and durations of the alert rules, and runs promtool with all scenarios and edges that need the
// mutated rule (`npm run mutation:rules -- --number=40 --seed=1`). The seed chooses the mutations at random. The rules
// are generated with the mutation, so a difference from the committed bundle does not kill it.

interface Mutation {
  readonly name: string;
  /** The groups with the mutated rule. */
  readonly groups: readonly RuleGroup[];
  readonly original: Rule;
}

/** What replaces each kind of token in the grammar of PromQL. */
const replacements: Readonly<Record<string, (text: string) => string>> = {
  Gtr: () => '>=',
  Gte: () => '>',
  Lss: () => '<=',
  Lte: () => '<',
  Eql: () => '!=',
  Neq: () => '==',
  And: () => 'unless',
  Unless: () => 'and',
  Or: () => 'and',
  Add: () => '-',
  Sub: () => '+',
  Mul: () => '/',
  Div: () => '*',
  Max: () => 'min',
  Min: () => 'max',
  Sum: () => 'max',
  Count: () => 'max',
  MaxOverTime: () => 'min_over_time',
  MinOverTime: () => 'max_over_time',
  LastOverTime: () => 'min_over_time',
  NumberDurationLiteral: (text) => String(Number(text) === 0 ? 1 : Number(text) * 1.1),
  NumberDurationLiteralInDurationContext: (text) => scaleDuration(text, 2),
};

const settings = settingsSchema.parse({});
const all = ruleGroups(settings);

function replaced(original: Rule, by: Rule): Pick<Mutation, 'groups' | 'original'> {
  const groups = all.map((group) => ({ ...group, rules: group.rules.map((one) => (one === original ? by : one)) }));
  return { groups, original };
}

function nameOf(rule: Rule): string {
  const { alert, severity } =
    'alert' in rule ? rule : { alert: rule.record, severity: JSON.stringify(rule.labels ?? {}) };
  return `${alert} ${severity}`;
}

function mutationsOf(rule: Rule): readonly Mutation[] {
  const inExpression = tokensOf(rule.expr).flatMap(({ kind, text, from }) => {
    const replacement = replacements[kind]?.(text);
    if (replacement === undefined) return [];
    const [before, after] = [rule.expr.slice(0, from), rule.expr.slice(from + text.length)];
    const name = `${nameOf(rule)}: ${text} -> ${replacement} in …${before.slice(-50)}[${text}]${after.slice(0, 50)}…`;
    return [
      { name: name.replaceAll(/\s+/g, ' '), ...replaced(rule, { ...rule, expr: `${before}${replacement}${after}` }) },
    ];
  });
  if (!('alert' in rule)) return inExpression;
  const wait = scaleDuration(rule.for, 2);
  return [
    ...inExpression,
    { name: `${nameOf(rule)}: for ${rule.for} -> ${wait}`, ...replaced(rule, { ...rule, for: wait }) },
    ...(rule.keepFiringFor === undefined
      ? []
      : [{ name: `${nameOf(rule)}: no keep_firing_for`, ...replaced(rule, { ...rule, keepFiringFor: undefined }) }]),
  ];
}

/** Whether a scenario or an edge fails that needs the rule. The shortest scenarios run first. */
async function isKilled({ groups, original }: Mutation): Promise<boolean> {
  const isNeeded = (needed: readonly RuleGroup[]) => needed.some(({ rules }) => rules.includes(original));
  for (const edge of edges) {
    if (isNeeded(rulesOf(edge.alert, all)) && (await failureAt(edge, groups)) !== '') return true;
  }
  for (const scenario of scenarios.toSorted((one, other) => one.minutes - other.minutes)) {
    if (!isNeeded(alertsWithInput(Object.keys(scenario.series), all))) continue;
    if ((await failuresOf([scenario], groups, settings)) !== '') return true;
  }
  return false;
}

const { values } = parseArgs({
  options: { number: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});
const mutations = all.flatMap(({ rules }) => rules.flatMap(mutationsOf));
const sample = mutations
  .map((mutation, index) => ({ mutation, order: hashText(`${values.seed}/${index}`) }))
  .toSorted((one, other) => one.order - other.order)
  .slice(0, Number(values.number))
  .map(({ mutation }) => mutation);
let killed = 0;
for (const mutation of sample) {
  const isNoticed = await isKilled(mutation);
  if (isNoticed) killed += 1;
  process.stdout.write(`${isNoticed ? 'killed  ' : 'SURVIVED'} ${mutation.name}\n`);
}
process.stdout.write(
  `${killed} of ${sample.length} killed, out of ${mutations.length} mutations, with seed ${values.seed}\n`,
);
