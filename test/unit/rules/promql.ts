/** One use of a metric in an expression, with the labels that its matchers name. */
export interface Use {
  readonly metric: string;
  readonly labels: readonly string[];
}

const words = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
]);

/** The metrics of a PromQL expression: names that are no function, no keyword, no label and no duration. */
export function uses(expr: string): readonly Use[] {
  const bare = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right) \([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\boffset \w+/g, ' ');
  return [...bare.matchAll(/(?<![\w:.])([a-zA-Z_][\w:]*)\s*(\(|\{([^}]*)\})?/g)]
    .filter(([, name = '', next]) => next !== '(' && !words.has(name))
    .map(([, metric = '', , matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=|!=|=~|!~)/g)].map(([, label = '']) => label),
    }));
}

/** The labels that the expression groups or matches by. */
export function groupingLabels(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:by|without|on|ignoring|group_left|group_right) \(([^)]*)\)/g)].flatMap(
    ([, labels = '']) =>
      labels
        .split(',')
        .map((label) => label.trim())
        .filter((label) => label !== ''),
  );
}

/** What stands to the right of each division: a number, or everything inside the parentheses. */
export function divisors(expr: string): readonly string[] {
  const bare = expr.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => '"'.padEnd(text.length - 1, '_').concat('"'));
  return [...bare.matchAll(/\/\s*/g)].map((match) => {
    const start = match.index + match[0].length;
    if (bare[start] !== '(') {
      return /^[\w.:]+/.exec(bare.slice(start))?.[0] ?? '';
    }
    let depth = 0;
    for (let end = start; end < bare.length; end += 1) {
      depth += bare[end] === '(' ? 1 : bare[end] === ')' ? -1 : 0;
      if (depth === 0) {
        return bare.slice(start, end + 1);
      }
    }
    return bare.slice(start);
  });
}
