import type * as z from 'zod';
import type { Method } from './method.ts';

/** The API as a collector sees it: typed calls of one account, within the account's budget. */
export interface Api {
  /**
   * Resolves with the payload of the response. Fields that do not fit the schema are left out and reported to the poll.
   * Rejects with an ApiError when the call fails or nothing in the result fits the schema.
   */
  call<T>(method: Method, schema: z.ZodType<T>, parameters?: Readonly<Record<string, string>>): Promise<T>;

  /** Calls the first of these methods that the API knows. A method that the API does not know is retried after a day. */
  callFirst<T>(candidates: readonly (readonly [Method, z.ZodType<T>])[]): Promise<T>;
}
