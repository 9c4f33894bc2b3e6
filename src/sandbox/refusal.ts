/** Why the sandbox refuses a call, before a dialect gives it a code. */
export type RefusalKind =
  | 'authentication'
  | 'permission'
  | 'malformed'
  | 'unknown_method'
  | 'invalid'
  | 'failed'
  | 'rate_limit'
  | 'plan_limit';

/** A call that ends in an error of the envelope. `code` is a method's own numeric code, which only the provider's dialect shows. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly code: number | undefined;

  constructor(kind: RefusalKind, text = '', code?: number) {
    super(text);
    this.kind = kind;
    this.code = code;
  }
}

/** What was looked for. Throws a Refusal with these words where it is not there. */
export function found<T>(thing: T | undefined, otherwise: string): T {
  if (thing === undefined) {
    throw new Refusal('failed', otherwise);
  }
  return thing;
}
