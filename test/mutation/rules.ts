import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tokensOf } from '../fixtures/promql.ts';
import { readYaml } from '../fixtures/repository.ts';
import { groups, groupsFor, parseDuration, type Rule, type RuleGroup, testFiles } from '../rules/rule-file.ts';
import { inFolder, run } from '../rules/run-tool.ts';
import { randomSample } from './random-sample.ts';

// Mutates expressions and durations of alerts/hosting.rules.yml, and runs the tests in alerts/tests until one fails
// (`npm run mutation:rules -- --number=40 --seed=1 --minutes=20`). The seed chooses the mutations at random. After these minutes, no other
// mutation is started, and the unfinished ones do not count. `--only=Disk` tries only mutations whose printed name contains this text,
// and `--cases` runs only the literal cases of the rule.

interface Mutation {
  readonly name: string;
  /** The record or the alert. */
  readonly rule: string;
  readonly group: string;
  readonly original: Rule;
  readonly mutated: Rule;
}

/** One scenario or literal case of alerts/tests. */
interface Scenario {
  readonly file: string;
  /** Begins with the name of the rule or its group, if it is a literal case. */
  readonly name: string;
  /** The rules that can have a result in the scenario. */
  readonly groups: readonly RuleGroup[];
  /** A test file with this scenario only. */
  readonly text: string;
  /** Roughly proportional to the time that promtool takes. */
  readonly cost: number;
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
  NumberDurationLiteralInDurationContext: (text) => doubled(text),
};

function doubled(duration: string): string {
  return duration.replaceAll(/\d+/g, (number) => String(2 * Number(number)));
}

const scenarios = testFiles.flatMap((file): readonly Scenario[] => {
  const suite = readYaml<{
    readonly tests: readonly {
      readonly name: string;
      readonly interval?: string;
      readonly input_series: readonly { readonly series: string }[];
    }[];
  }>(file);
  return suite.tests.map((test) => ({
    file,
    name: test.name,
    groups: groupsFor(test.input_series.map(({ series }) => series.replace(/\{.*/, ''))),
    cost: test.input_series.length * longestEvaluation(test),
    text: JSON.stringify({ ...suite, rule_files: ['rules.yml'], tests: [test] }),
  }));
});

/** The latest eval_time of a scenario, in evaluations. */
function longestEvaluation(test: { readonly interval?: string }): number {
  const times = [...JSON.stringify(test).matchAll(/"eval_time":"([^"]+)"/g)].map(([, time = '']) =>
    parseDuration(time),
  );
  return Math.max(0, ...times) / parseDuration(test.interval ?? '1m');
}

function mutationsOf(group: string, rule: Rule): readonly Mutation[] {
  const name = rule.record ?? `${rule.alert}`;
  const title = rule.record ?? `${name} ${rule.labels?.['severity']}`;
  const mutation = (what: string, by: Rule) => ({
    name: `${title}: ${what}`,
    rule: name,
    group,
    original: rule,
    mutated: by,
  });
  const inExpression = tokensOf(rule.expr).flatMap(({ kind, text, from }) => {
    const replacement = replacements[kind]?.(text);
    if (replacement === undefined) return [];
    const [before, after] = [rule.expr.slice(0, from), rule.expr.slice(from + text.length)];
    const what = `${text} -> ${replacement} in …${before.slice(-50)}[${text}]${after.slice(0, 50)}…`;
    return [mutation(what.replaceAll(/\s+/g, ' '), { ...rule, expr: `${before}${replacement}${after}` })];
  });
  const { for: wait, keep_firing_for: keep, ...others } = rule;
  return [
    ...inExpression,
    ...(wait === undefined ? [] : [mutation(`for ${wait} -> ${doubled(wait)}`, { ...rule, for: doubled(wait) })]),
    ...(keep === undefined ? [] : [mutation('no keep_firing_for', { ...others, ...(wait && { for: wait }) })]),
  ];
}

/**
 * Whether a scenario in which the rule can have a result fails. The literal cases of the rule run first, then the scenarios of its
 * group, and short ones before long ones. Undefined if there is no time left.
 */
async function isKilled({ rule: name, group, original, mutated }: Mutation): Promise<boolean | undefined> {
  const distance = (scenario: Scenario) => {
    if ([name, `${group}:`].some((start) => scenario.name.startsWith(start))) return 0;
    return scenario.file.includes(`/${group.replace('hosting-', '')}.`) ? 1 : 2;
  };
  const ordered = scenarios.toSorted((one, other) => distance(one) - distance(other) || one.cost - other.cost);
  for (const scenario of values.cases ? ordered.filter((one) => distance(one) === 0) : ordered) {
    const all = scenario.groups.flatMap(({ rules }) => rules);
    if (!all.includes(original)) continue;
    if (Date.now() > deadline) return undefined;
    const changed = scenario.groups.map((one) => ({
      ...one,
      rules: one.rules.map((rule) => (rule === original ? mutated : rule)),
    }));
    if (await passes(scenario, changed)) continue;
    if (!(await passesUnchanged(scenario))) throw new Error(`fails without a mutation: ${scenario.text}`);
    return true;
  }
  return false;
}

const unchanged = new Map<Scenario, Promise<boolean>>();

function passesUnchanged(scenario: Scenario): Promise<boolean> {
  const result = unchanged.get(scenario) ?? passes(scenario, scenario.groups);
  unchanged.set(scenario, result);
  return result;
}

async function passes({ text }: Scenario, of: readonly RuleGroup[]): Promise<boolean> {
  const used = { groups: of.filter(({ rules }) => rules.length > 0) };
  const files = [['rules.yml', JSON.stringify(used)] as const, ['suite.yml', text] as const];
  return inFolder(files, async (folder) => {
    return (await run('promtool', 'test', 'rules', join(folder, 'suite.yml'))).code === 0;
  });
}

const { values } = parseArgs({
  options: {
    number: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    cases: { type: 'boolean', default: false },
  },
});
const deadline = Date.now() + Number(values.minutes) * 60_000;
const mutations = groups.flatMap(({ name, rules }) => rules.flatMap((rule) => mutationsOf(name, rule)));
const equivalents = readYaml<readonly { readonly mutation: string }[]>('test/mutation/equivalent-rules.yml').map(
  ({ mutation }) => new RegExp(mutation),
);
for (const equivalent of equivalents) {
  if (!mutations.some(({ name }) => equivalent.test(name))) throw new Error(`no such mutation: ${equivalent}`);
}
const chosen = mutations.filter(({ name }) => name.includes(values.only));
const sample = randomSample(chosen, Number(values.number), values.seed, (_, index) => String(index));
const counts = { killed: 0, SURVIVED: 0, equivalent: 0, unfinished: 0 };
const queue = [...sample];
async function work(): Promise<void> {
  for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
    const { name } = mutation;
    const isEquivalent = equivalents.some((one) => one.test(name));
    const killed = isEquivalent || (await isKilled(mutation));
    const outcome = isEquivalent ? 'equivalent' : killed === undefined ? 'unfinished' : killed ? 'killed' : 'SURVIVED';
    counts[outcome] += 1;
    process.stdout.write(`${outcome.padEnd(10)} ${name}\n`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
const { killed, SURVIVED, equivalent, unfinished } = counts;
process.stdout.write(
  `${killed} killed, ${SURVIVED} survived, ${equivalent} equivalent, ${unfinished} not finished in time, out of ${chosen.length}, with seed ${values.seed}\n`,
);
