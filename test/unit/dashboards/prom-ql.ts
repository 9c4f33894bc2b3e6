import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** One selector of a query: the metric and the labels that are matched. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
  readonly text: string;
}

/** What a query asks for. */
export interface Asked {
  readonly selectors: readonly Selector[];
  /** Labels in `by`, `without`, `on`, `ignoring` and `group_left`. */
  readonly grouping: readonly string[];
  readonly valid: boolean;
}

/** Reads a query whose variables are filled in. */
export function asked(expr: string): Asked {
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  let valid = true;
  parser.parse(expr).iterate({
    enter: (reference) => {
      const { node } = reference;
      if (node.type.isError) {
        valid = false;
      }
      if (node.name === 'VectorSelector') {
        const identifier = node.getChild('Identifier');
        selectors.push({
          metric: identifier === null ? '' : textOf(expr, identifier),
          labels: namesUnder(node, expr),
          text: textOf(expr, node),
        });
      }
      if (node.name === 'GroupingLabels') {
        grouping.push(...node.getChildren('LabelName').map((label) => textOf(expr, label)));
      }
    },
  });
  return { selectors, grouping, valid };
}

function namesUnder(selector: SyntaxNode, expr: string): string[] {
  const names: string[] = [];
  selector.cursor().iterate((reference) => {
    if (reference.name === 'LabelName') {
      names.push(textOf(expr, reference.node));
    }
  });
  return names;
}

function textOf(expr: string, { from, to }: SyntaxNode): string {
  return expr.slice(from, to);
}
