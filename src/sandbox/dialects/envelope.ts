import type { Json } from '../json.ts';
import type { Refusal } from '../refusal.ts';

/** How one dialect wraps results and errors. */
export interface EnvelopeWriter {
  readonly contentType: string;
  /** The result of a method that changes the account and returns no data. */
  readonly changed: Json;
  success(result: Json): Json;
  failure(code: string | number, text: Json): Json;
  codeOf(refusal: Refusal): string | number;
  /** The error text of a refusal. `method` is the path of the method: section/method. */
  textOf(refusal: Refusal, method: string): string;
  print(body: Json): string;
}
