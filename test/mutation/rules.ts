import { parseArgs } from 'node:util';
import { ruleGroups } from '../../src/rules/bundle.ts';
import { scaleDuration } from '../../src/rules/duration.ts';
import type { Rule, RuleGroup } from '../../src/rules/rule.ts';
import { settingsSchema } from '../../src/rules/settings.ts';
import { tokensOf } from '../fixtures/promql.ts';
import { readYaml } from '../fixtures/repository.ts';
import { edges, failureAt } from '../integration/rules/edges.ts';
import { failuresOf } from '../integration/rules/failures.ts';
import { alertsWithInput, rulesOf } from '../integration/rules/groups.ts';
import { failuresOfRules, otherWaits, ruleName } from '../integration/rules/records.ts';
import { scenarios } from '../integration/rules/scenarios.ts';
import { randomSample } from './random-sample.ts';

// Mutates expressions and durations of the alert rules, and runs promtool with the cases of the mutated rule, then with all
// edges and scenarios that need it (`npm run mutation:rules -- --number=40 --seed=1`). The seed chooses the mutations at
// random. The rules are generated with the mutation, so a difference from the committed bundle does not kill it.

interface Mutation {
  readonly name: string;
  /** The groups with the mutated rule. */
  readonly groups: readonly RuleGroup[];
  readonly original: Rule;
  readonly mutated: Rule;
}

/** What replaces each kind of token in the grammar of PromQL. */
const replacements: Readonly<Record<string, (text: string) => string>> = {
  Gtr: () => '>=',
  Gte: () => '>',
  Lss: () => '<=',
  Lte: () => '<',
  Eql: () => '!=',
  // In selectors
  EqlSingle: () => '!=',
  Neq: () => '=',
  EqlRegex: () => '!~',
  And: () => 'unless',
  Unless: () => 'and',
  Or: () => 'and',
  Add: () => '-',
  Sub: () => '+',
  // Often, one factor is a group, whose value is 1. Dividing by it would change nothing.
  Mul: () => '+',
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

function replaced(original: Rule, by: Rule): Omit<Mutation, 'name'> {
  const groups = all.map((group) => ({ ...group, rules: group.rules.map((one) => (one === original ? by : one)) }));
  return { groups, original, mutated: by };
}

function mutationsOf(rule: Rule): readonly Mutation[] {
  const inExpression = tokensOf(rule.expr).flatMap(({ kind, text, from }) => {
    const replacement = replacements[kind]?.(text);
    if (replacement === undefined) return [];
    const [before, after] = [rule.expr.slice(0, from), rule.expr.slice(from + text.length)];
    const name = `${ruleName(rule)}: ${text} -> ${replacement} in …${before.slice(-50)}[${text}]${after.slice(0, 50)}…`;
    return [
      { name: name.replaceAll(/\s+/g, ' '), ...replaced(rule, { ...rule, expr: `${before}${replacement}${after}` }) },
    ];
  });
  if (!('alert' in rule)) return inExpression;
  const wait = scaleDuration(rule.for, 2);
  return [
    ...inExpression,
    { name: `${ruleName(rule)}: for ${rule.for} -> ${wait}`, ...replaced(rule, { ...rule, for: wait }) },
    ...(rule.keepFiringFor === undefined
      ? []
      : [{ name: `${ruleName(rule)}: no keep_firing_for`, ...replaced(rule, { ...rule, keepFiringFor: undefined }) }]),
  ];
}

/** Whether a case, an edge or a scenario of the rule fails. The shortest scenarios run first. */
async function isKilled({ groups, original, mutated }: Mutation): Promise<boolean> {
  if (otherWaits([mutated]).length > 0 || (await failuresOfRules([mutated])) !== '') return true;
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
const equivalents = readYaml<readonly { readonly mutation: string }[]>('test/mutation/equivalent-rules.yml').map(
  ({ mutation }) => new RegExp(mutation),
);
for (const equivalent of equivalents) {
  if (!mutations.some(({ name }) => equivalent.test(name))) throw new Error(`no such mutation: ${equivalent}`);
}
const sample = randomSample(mutations, Number(values.number), values.seed, (_, index) => String(index));
const counts = { killed: 0, SURVIVED: 0, equivalent: 0 };
for (const mutation of sample) {
  const isEquivalent = equivalents.some((one) => one.test(mutation.name));
  const outcome = isEquivalent ? 'equivalent' : (await isKilled(mutation)) ? 'killed' : 'SURVIVED';
  counts[outcome] += 1;
  process.stdout.write(`${outcome.padEnd(10)} ${mutation.name}\n`);
}
const { killed, SURVIVED, equivalent } = counts;
process.stdout.write(
  `${killed} killed, ${SURVIVED} survived, ${equivalent} equivalent, out of ${mutations.length}, with seed ${values.seed}\n`,
);
