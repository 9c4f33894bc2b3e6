import type { PayloadSchema } from '../payloads/scalars.ts';
import type { Method } from './method.ts';

/** The API as a collector sees it: typed calls of one account, within the account's budget. */
export interface Api {
  /**
   * Omits fields that do not fit the schema, and reports them to the poll. Rejects with an ApiError if the call fails or nothing in
   * the result fits the schema.
   */
  call<T>(method: Method, schema: PayloadSchema<T>, parameters?: Readonly<Record<string, string>>): Promise<T>;

  /**
   * Calls the candidates in this order until the API accepts a call. Calls the next one after any refusal, because APIs refuse
   * unknown methods with any error code. Uses the next method's payload if `isUsable` accepts the payload, or if the error code
   * of the refusal means an unknown method; then the refused method is not called for a day. Otherwise rejects with the refusal,
   * because the refused method may exist and have failed.
   */
  callFirst<T>(
    candidates: readonly (readonly [Method, PayloadSchema<T>])[],
    isUsable: (payload: T) => boolean,
  ): Promise<T>;

  /**
   * Calls a method that not every API offers. Resolves with undefined if the API refuses the method and has never accepted a call
   * of it. If the error code means an unknown method, the method is not called again for a day. For a call with parameters, only
   * the error code NO_SUCH_METHOD has this meaning.
   */
  callIfOffered<T>(
    method: Method,
    schema: PayloadSchema<T>,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<T | undefined>;
}
