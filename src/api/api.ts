import type * as z from 'zod';
import type { Method } from './method.ts';

/** The API as a collector sees it: typed calls of one account, within the account's budget. */
export interface Api {
  /**
   * Resolves with the payload of the response. Fields that do not fit the schema are left out and reported to the poll.
   * Rejects with an ApiError when the call fails or nothing in the result fits the schema.
   */
  call<T>(method: Method, schema: z.ZodType<T>, parameters?: Readonly<Record<string, string>>): Promise<T>;

  /**
   * Calls the first of these methods that the API offers. APIs refuse unknown methods with any error code, so the answer of the next
   * method replaces a refusal if it `isUsable`, or if the code says that the method is unknown; the refused method is then called
   * again after a day. Otherwise, rejects with the refusal, because the method may only have failed.
   */
  callFirst<T>(candidates: readonly (readonly [Method, z.ZodType<T>])[], isUsable: (payload: T) => boolean): Promise<T>;

  /**
   * Calls a method that not every API offers. Resolves with undefined if the API refuses the method and has never answered it; if the
   * code says that the method is unknown, it is called again after a day.
   */
  callIfOffered<T>(method: Method, schema: z.ZodType<T>): Promise<T | undefined>;
}
