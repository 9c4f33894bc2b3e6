import { readYaml } from '../fixtures/repository.ts';

/** A mutation that changes no behaviour. */
export interface Equivalent {
  readonly file: string;
  /** The trimmed line before the mutation. */
  readonly line: string;
  readonly replacement: string;
  readonly reason: string;
}

export const equivalents = readYaml<readonly Equivalent[]>('test/mutation/equivalent.yml');
