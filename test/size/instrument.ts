import { parseAst } from 'vitest/node';

/** A function of the instrumented code. */
export interface CodeFunction {
  readonly file: string;
  readonly line: number;
  /**
   * With the name of the class: `Poller.poll`. A function without a name is `closure in NAME`, after the function
   * around it.
   */
  readonly name: string;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;

/** The context of a node. */
interface Scope {
  /** The name of the node if it is a function or a class. */
  readonly name?: string | undefined;
  readonly className?: string | undefined;
  /** The name of the innermost function. */
  readonly inside?: string | undefined;
  /** The function that `return` and `yield` belong to; undefined in an arrow function. */
  readonly returnsOf?: number | undefined;
}

/**
 * Adds code to TypeScript source. The code reports each call of a function, with arguments and result, to
 * `globalThis.sizeRecorder`. The numbers of the lines stay the same. `define` returns the number of a function.
 */
export function instrument(file: string, source: string, define: (code: CodeFunction) => number): string {
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const insert = (at: number, text: string) => insertions.push({ at, text });
  const surround = ({ start, end }: Node, method: string, id: number) => {
    insert(start, `globalThis.sizeRecorder.${method}(${id}, (`);
    insert(end, '))');
  };

  const visitFunction = (node: Node, scope: Scope): Scope => {
    const { body } = node;
    const line = source.slice(0, node.start).split('\n').length;
    const ownName = nameOf(node) ?? scope.name;
    const id = define({ file, line, name: ownName ?? `closure in ${scope.inside ?? 'the module'}` });
    const inner: Scope = { className: scope.className, inside: ownName ?? scope.inside };
    if (node.type === 'ArrowFunctionExpression') {
      surround(node, 'closure', id);
    } else if (isNode(body)) {
      // A constructor of a derived class has no `this` before it calls `super`.
      const self = scope.name?.endsWith('.constructor') ? 'undefined' : 'this';
      insert(body.start + 1, `globalThis.sizeRecorder.enter(${id}, arguments, ${self}); try {`);
      insert(body.end - 1, `} finally { globalThis.sizeRecorder.leave(${id}); }`);
      return { ...inner, returnsOf: id };
    }
    return inner;
  };

  const visit = (node: Node, scope: Scope): void => {
    const { className, inside, returnsOf } = scope;
    let inner: Scope = { className, inside, returnsOf };
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      inner = visitFunction(node, scope);
    } else if (/^Class(Declaration|Expression)$/.test(node.type)) {
      inner = { className: nameOf(node) ?? scope.name ?? 'class', inside };
      insert((node['body'] as Node).start + 1, 'static { globalThis.sizeRecorder.classes.add(this); }');
    } else if (/^(MethodDefinition|PropertyDefinition)$/.test(node.type)) {
      inner = { ...inner, name: `${className}.${nameOf(node) ?? '[computed]'}` };
    } else if (/^(Property|VariableDeclarator)$/.test(node.type)) {
      inner = { ...inner, name: nameOf(node) };
    } else if (/^(ReturnStatement|YieldExpression)$/.test(node.type)) {
      const { argument, delegate } = node;
      if (returnsOf !== undefined && isNode(argument) && delegate !== true) {
        surround(argument, 'result', returnsOf);
      }
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, inner);
  };

  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, {});
  return insertAll(source, insertions);
}

function insertAll(source: string, insertions: readonly { readonly at: number; readonly text: string }[]): string {
  let text = '';
  let end = 0;
  // The sort is stable: if an outer and an inner call begin at the same place, the outer call stays first.
  for (const insertion of insertions.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(end, insertion.at) + insertion.text;
    end = insertion.at;
  }
  return text + source.slice(end);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The name of a declaration, class, method, property or variable; undefined if it is not a plain name. */
function nameOf(node: Node): string | undefined {
  const key = node['id'] ?? node['key'];
  if (!isNode(key)) return undefined;
  if (key.type === 'PrivateIdentifier') return `#${key['name']}`;
  return key.type === 'Identifier' ? String(key['name']) : undefined;
}
