import type { CodeFunction } from './instrument.ts';

/** A function that ran while calls were recorded. */
export interface RecordedFunction extends CodeFunction {
  /** Whether the figure was in its arguments or in its result, before the store had the figure. */
  readonly carries: boolean;
}

/** The methods at which a measurement begins and ends, as `Class.method`. */
export interface Landmarks {
  /** Polls one collector. */
  readonly poll: string;
  /** Passes a result to the store. */
  readonly store: string;
}

/** Where a figure comes from. Functions that wait for the reply of the API do not carry the figure. */
export type Origin = 'reply' | 'store';

/** The data of the current recording. */
interface Recording {
  readonly figure: number;
  /** Whether each function carries the figure, in the order of the first calls. */
  readonly carries: Map<number, boolean>;
  /** The functions that were called after the figure arrived. */
  readonly called: Set<number>;
  isThere: boolean;
  isStored: boolean;
}

/** Records which functions of instrumented code run, and which of them carry a figure. */
export class Recorder {
  /** Classes of the instrumented code. */
  readonly classes = new WeakSet<object>();
  readonly #landmarks: Landmarks;
  readonly #functions: CodeFunction[] = [];
  #recording: Recording | undefined;
  #poller: unknown;

  constructor(landmarks: Landmarks) {
    this.#landmarks = landmarks;
  }

  /** Adds a function and returns its number. */
  define(code: CodeFunction): number {
    return this.#functions.push(code) - 1;
  }

  /** Starts a recording. */
  start(figure: number, origin: Origin): void {
    this.#recording = { figure, carries: new Map(), called: new Set(), isThere: origin === 'store', isStored: false };
  }

  /** The functions that ran since `start`, in the order of their first calls. */
  stop(): readonly RecordedFunction[] {
    const functions = [...(this.#recording?.carries ?? [])];
    this.#recording = undefined;
    return functions.flatMap(([id, carries]) => {
      const code = this.#functions[id];
      return code === undefined ? [] : [{ ...code, carries }];
    });
  }

  /**
   * Calls the landmark `poll` again, on the object of its last call. Fails if the code has no such landmarks, or if the
   * figure does not get to the store.
   */
  async poll(): Promise<void> {
    const { poll, store } = this.#landmarks;
    for (const name of [poll, store]) {
      const { length } = this.#functions.filter((code) => code.name === name);
      if (length !== 1) throw new Error(`src has ${length} functions ${name}: change landmarks in test/size/traced.ts`);
    }
    const poller = this.#poller as Record<string, (() => Promise<void>) | undefined> | undefined;
    await poller?.[poll.split('.')[1] ?? '']?.();
    const isStored = this.#recording?.carries.get(this.#functions.findIndex(({ name }) => name === store));
    if (isStored !== true) throw new Error(`${poll} did not pass the figure to ${store}`);
  }

  /** Called at the start of each function that is not an arrow function. */
  enter(id: number, values: ArrayLike<unknown>, self: unknown): void {
    if (this.#functions[id]?.name === this.#landmarks.poll) this.#poller = self;
    this.#recordCall(id, Array.from(values));
  }

  /** Called with each result of a function that is not an arrow function. */
  result<T>(id: number, value: T): T {
    if (value instanceof Promise) {
      value.then(
        (settled) => this.#recordResult(id, settled),
        () => {},
      );
    } else {
      this.#recordResult(id, value);
    }
    return value;
  }

  /** Called at the end of each function that is not an arrow function. */
  leave(id: number): void {
    if (this.#recording !== undefined && this.#functions[id]?.name === this.#landmarks.store) {
      this.#recording.isStored = true;
    }
  }

  /** Returns a proxy of an arrow function that reports its calls. */
  closure<T extends (...values: unknown[]) => unknown>(id: number, closure: T): T {
    return new Proxy(closure, {
      apply: (target, self, values) => {
        this.#recordCall(id, values);
        return this.result(id, Reflect.apply(target, self, values));
      },
    });
  }

  #recordCall(id: number, values: readonly unknown[]): void {
    const recording = this.#recording;
    if (recording === undefined) return;
    const { carries, called } = recording;
    if (!carries.has(id)) carries.set(id, false);
    const isCarried = contains(values, recording.figure, this.classes);
    if (isCarried) recording.isThere = true;
    if (recording.isThere) called.add(id);
    if (isCarried && !recording.isStored) carries.set(id, true);
  }

  #recordResult(id: number, value: unknown): void {
    const recording = this.#recording;
    if (recording === undefined || !contains(value, recording.figure, this.classes)) return;
    recording.isThere = true;
    if (recording.called.has(id) && !recording.isStored) recording.carries.set(id, true);
  }
}

/**
 * Whether a function can read the figure from this value without another call. It can read numbers, texts, bytes, plain
 * objects, arrays, maps, sets, and public fields of instances of these classes.
 */
export function contains(value: unknown, figure: number, classes: WeakSet<object>): boolean {
  const text = String(figure);
  const seen = new Set<unknown>();
  const search = (inner: unknown): boolean => {
    if (typeof inner === 'number') return inner === figure;
    if (typeof inner === 'string') return inner.includes(text);
    if (typeof inner !== 'object' || inner === null || seen.has(inner)) return false;
    seen.add(inner);
    if (inner instanceof Uint8Array) return Buffer.from(inner.buffer, inner.byteOffset, inner.length).includes(text);
    if (inner instanceof Map) return [...inner].some((entry) => entry.some(search));
    if (Array.isArray(inner) || inner instanceof Set) return [...inner].some(search);
    const type = inner.constructor;
    const isReadable = type === undefined || type === Object || classes.has(type);
    // Reading an accessor would be another call.
    return isReadable && Object.values(Object.getOwnPropertyDescriptors(inner)).some((field) => search(field.value));
  };
  return search(value);
}
