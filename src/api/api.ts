import type * as z from 'zod';
import type { Method } from './method.ts';

/** What a collector sees of the API: typed calls of one account, within its budget. */
export interface Api {
  /**
   * The payload of one method's answer. Fields of it that make no sense are left out, and the poll is told of them.
   * Throws ApiError where the call fails or nothing of the answer can be read.
   */
  call<T>(method: Method, schema: z.ZodType<T>, parameters?: Readonly<Record<string, string>>): Promise<T>;

  /** The payload of the first of these methods that the API knows; what it does not know is asked for but once. */
  callFirst<T>(candidates: readonly (readonly [Method, z.ZodType<T>])[]): Promise<T>;
}
