import type { ConfigInputs } from '../config/file/load.ts';
import { ContentHashes, type Hashes } from './content-hashes.ts';

/** Milliseconds between two checks of the files. A change is applied when two consecutive checks find the same new content. */
const interval = 3000;

export class AutoReload {
  readonly #inputs: () => ConfigInputs;
  readonly #reload: () => Promise<unknown>;
  readonly #contents = new ContentHashes();
  #loaded: Hashes = new Map();
  #seen: Hashes = new Map();
  #timer: NodeJS.Timeout | undefined;

  /** `inputs` returns the files of the newest attempt to load the configuration. */
  constructor(inputs: () => ConfigInputs, reload: () => Promise<unknown>) {
    this.#inputs = inputs;
    this.#reload = reload;
  }

  /** Starts to watch the files. Must be called directly after the configuration was loaded. */
  async start(): Promise<void> {
    this.#loaded = await this.#contents.of(this.#inputs());
    this.#seen = this.#loaded;
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      void this.#check().then(() => {
        if (this.#timer !== undefined) this.#schedule();
      });
    }, interval).unref();
  }

  async #check(): Promise<void> {
    const current = await this.#contents.of(this.#inputs());
    const isSettled = isSame(current, this.#seen);
    this.#seen = current;
    if (!isSettled || isSame(current, this.#loaded)) return;
    await this.#reload();
    // Keep the hashes from before the reload, so that the next check notices changes that were made during the reload.
    const after = await this.#contents.of(this.#inputs());
    this.#loaded = new Map([...after].map(([path, hash]) => [path, current.get(path) ?? hash]));
  }
}

function isSame(one: Hashes, other: Hashes): boolean {
  return one.size === other.size && [...one].every(([path, hash]) => other.get(path) === hash);
}
