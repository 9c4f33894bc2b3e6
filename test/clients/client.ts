import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';

/** A process that runs a client. It receives a line of JSON for each step, and answers with a line of JSON. */
export class Client {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #stderr = '';

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#process = spawn(program, args, { env: { ...process.env, ...env } });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    const lines: Interface = createInterface(this.#process.stdout);
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** Runs a step. Throws an Error with the output of the process if the process ends without an answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of clients are read without a schema
  async run(step: object): Promise<any> {
    this.#process.stdin.write(`${JSON.stringify(step)}\n`);
    const { done, value } = await this.#lines.next();
    if (done) throw new Error(`The process of the client ended:\n${this.#stderr}`);
    return JSON.parse(value);
  }

  close(): void {
    this.#process.stdin.end();
  }
}
