import { stripTypeScriptTypes } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { instrument } from '../../size/instrument.ts';
import { contains, Recorder } from '../../size/recorder.ts';

const figure = 611_953_207;

/** Instruments code in which `figure` is the figure, and prepares a call of its functions. */
function prepare(code: string, call: string): { readonly recorder: Recorder; readonly run: () => Promise<void> } {
  const recorder = new Recorder({ poll: 'Poller.poll', store: 'Store.publish' });
  vi.stubGlobal('sizeRecorder', recorder);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const instrumented = instrument('code.ts', code, (each) => recorder.define(each));
  const script = `${stripTypeScriptTypes(instrumented)}\nreturn async () => { ${call} };`;
  return { recorder, run: new Function('figure', script)(figure) };
}

/** The functions that ran: those that carry the figure have an asterisk. */
function stop(recorder: Recorder): readonly string[] {
  return recorder.stop().map(({ line, name, carries }) => `${carries ? '*' : ' '} ${line} ${name}`);
}

it.each([
  ['a function', 'function sum(a: number, b: number) { return a + b; }', 'sum(1, 2)', ['  1 sum']],
  ['an argument', 'function log(value: number) {}', 'log(figure)', ['* 1 log']],
  ['a result', 'function read() { return figure; }', 'read()', ['* 1 read']],
  [
    'a function without a name',
    'const list = [function (value: number) {}]',
    'list[0](figure)',
    ['* 1 closure in the module'],
  ],
  ['an arrow function', 'const twice = (value: number) => value * 2', 'twice(figure)', ['* 1 twice']],
  ['the result of an arrow function', 'const read = () => figure', 'read()', ['* 1 read']],
  ['an arrow function that returns an object', 'const read = () => ({ figure })', 'read()', ['* 1 read']],
  ['an arrow function with a body', 'const read = () => {\n return { figure };\n}', 'read()', ['* 1 read']],
  [
    'a property that a function does not name',
    'const nameOf = ({ name }: { name: string }) => name',
    'nameOf({ name: "a", load: figure })',
    ['* 1 nameOf'],
  ],
  [
    'closures',
    'function all(list: number[]) {\n  return list.map(() => 0).filter((value) =>\n value > 0).length;\n}',
    'all([figure])',
    ['* 1 all', '* 2 closure in all', '  2 closure in all'],
  ],
  ['a closure of the module', 'const call = [() => figure][0]', 'call()', ['* 1 closure in the module']],
  ['nested arrow functions', 'const outer = () => () => figure', 'outer()()', ['  1 outer', '* 1 closure in outer']],
  [
    'constructors of derived classes',
    'class Base { constructor(a: number) {} }\nclass Derived extends Base {\n  constructor(a: number) { super(a); }\n}',
    'new Derived(figure)',
    ['* 3 Derived.constructor', '* 1 Base.constructor'],
  ],
  [
    'methods, accessors and functions in fields',
    `class Box {
      #value = 0;
      readonly get = () => this.#value;
      set value(value: number) { this.#store(value); }
      get value() { return this.#value; }
      #store(value: number) { this.#value = value; }
      static open() { return new Box(); }
    }`,
    'const box = Box.open(); box.value = figure; box.value; box.get();',
    ['  7 Box.open', '* 4 Box.value', '* 6 Box.#store', '* 5 Box.value', '* 3 Box.get'],
  ],
  [
    'methods of an object',
    'const box = { get value() { return figure; }, read() { return 1; }, write: (value: number) => {} }',
    'box.value; box.read(); box.write(2);',
    ['* 1 value', '  1 read', '  1 write'],
  ],
  [
    'asynchronous functions',
    'async function read() { return figure; }\nconst pass = () => read();\nasync function wait() { await pass(); }',
    'await wait();',
    ['  3 wait', '* 2 pass', '* 1 read'],
  ],
  [
    'generators',
    'function* each(list: number[]) { yield 1; yield* list; }\nfunction* one() { yield figure; }',
    '[...each([])]; [...one()];',
    ['  1 each', '* 2 one'],
  ],
  [
    'default values',
    'const one = () => figure;\nfunction read(value = one()) { return 1; }',
    'read()',
    ['* 1 one', '  2 read'],
  ],
  [
    'a function that throws',
    'function fail(value: number) { throw value; }',
    'try { fail(figure) } catch {}',
    ['* 1 fail'],
  ],
])('records %s', async (_name, code, call, functions) => {
  const { recorder, run } = prepare(code, call);

  recorder.start(figure, 'store');
  await run();

  expect(stop(recorder)).toEqual(functions);
});

it('does not change the lines of the code', () => {
  const code = 'class A {\n  b() {\n    return () =>\n      1;\n  }\n}\n';

  expect(instrument('code.ts', code, () => 0).split('\n')).toHaveLength(7);
});

it('records only between start and stop', async () => {
  const { recorder, run } = prepare('function read() { return figure; }', 'read()');

  await run();
  recorder.start(figure, 'store');
  const functions = stop(recorder);
  await run();

  expect(functions).toEqual([]);
  expect(stop(recorder)).toEqual([]);
});

const exporter = `class Poller {
  async poll() { const payload = await fetchList(); check(payload); new Store().publish(payload); finish(payload); }
}
async function fetchList() { return decode(await receive()); }
async function receive() { return read(); }
const read = () => ({ figure });
function decode(reply: unknown) { return reply; }
function check(payload: unknown) { log(); }
function log() {}
class Store { publish(payload: unknown) { render(payload); } }
function render(payload: unknown) {}
function finish(payload: unknown) {}`;

it('follows the figure from the reply to the store', async () => {
  const { recorder, run } = prepare(exporter, 'await new Poller().poll()');
  await run();

  recorder.start(figure, 'reply');
  await recorder.poll();

  expect(stop(recorder)).toEqual([
    '  2 Poller.poll',
    // These two wait for the reply when it arrives.
    '  4 fetchList',
    '  5 receive',
    '  6 read',
    '* 7 decode',
    '* 8 check',
    '  9 log',
    '* 10 Store.publish',
    '* 11 render',
    // The store has the figure already.
    '  12 finish',
  ]);
});

it.each([
  ['class Poller { poll() {} }', 'src has 0 functions Store.publish'],
  ['class Store { publish() {} }', 'src has 0 functions Poller.poll'],
  ['class Store { publish() {} }\nclass Poller { poll() {} }', 'Poller.poll did not pass the figure to Store.publish'],
])('fails without the landmarks: %s', async (code, problem) => {
  const { recorder } = prepare(code, '');

  recorder.start(figure, 'reply');

  await expect(recorder.poll()).rejects.toThrow(problem);
});

class Known {
  readonly field: unknown;
  readonly #hidden: unknown;

  constructor(field: unknown, hidden?: unknown) {
    this.field = field;
    this.#hidden = hidden;
  }

  get accessor(): unknown {
    return this.#hidden;
  }
}

class Derived extends Known {}

const cycle: { self?: unknown; value: number } = { value: 1 };
cycle.self = cycle;

it.each([
  [true, 'a number', figure],
  [false, 'another number', figure + 1],
  [true, 'a text', `load ${figure}.0`],
  [false, 'another text', '61195320'],
  [true, 'bytes', Buffer.from(`load ${figure}`)],
  [true, 'a part of a buffer', new Uint8Array(Buffer.from(`load ${figure}`).buffer)],
  [false, 'a part of a buffer beside the figure', Buffer.from(`load ${figure}`).subarray(0, 6)],
  [true, 'nested objects', { a: [{ b: figure }] }],
  [true, 'an object without a prototype', Object.assign(Object.create(null), { figure })],
  [true, 'a key of a map', new Map([[figure, 1]])],
  [true, 'a value of a map', new Map([[1, { figure }]])],
  [true, 'a set', new Set([1, figure])],
  [true, 'a field of a known class', new Known({ figure })],
  [false, 'a private field', new Known(1, figure)],
  [false, 'a class that is not known', new Derived(figure)],
  [
    false,
    'an accessor',
    {
      get figure(): number {
        return figure;
      },
    },
  ],
  [false, 'a function', () => figure],
  [false, 'a cycle', cycle],
  [false, 'nothing', undefined],
  [false, 'null', null],
])('finds the figure: %s for %s', (expected, _name, value) => {
  expect(contains(value, figure, new WeakSet([Known]))).toBe(expected);
});
