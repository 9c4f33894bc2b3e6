import type { Json } from '../json.ts';
import type { Refusal } from '../refusal.ts';

/** Whose words the API speaks: those of the specification, or those of the live provider. */
export const forms = ['specification', 'provider'] as const;

export type Form = (typeof forms)[number];

/** How one form wraps results and errors. */
export interface Envelope {
  readonly contentType: string;
  success(result: Json): Json;
  failure(code: string | number, text: Json): Json;
  codeOf(refusal: Refusal): string | number;
  /** `method` is section/method. */
  textOf(refusal: Refusal, method: string): string;
  print(body: Json): string;
}
