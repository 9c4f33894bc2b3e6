/** The reason why the sandbox refuses a call. Each dialect maps the reason to an error code. */
export type RefusalKind =
  | 'authentication'
  | 'permission'
  | 'malformed'
  | 'unknown_method'
  | 'invalid'
  | 'failed'
  | 'rate_limit'
  | 'plan_limit';

/** Thrown to answer a call with an error in the envelope. `code` is a numeric error code that only the provider's dialect uses. */
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

/** Returns the value, or throws a Refusal with the message if the value is undefined. */
export function requireFound<T>(value: T | undefined, message: string): T {
  if (value === undefined) {
    throw new Refusal('failed', message);
  }
  return value;
}

/** Throws a Refusal if the plan allows no further item. `items` is the plural noun in the error message. */
export function checkPlanLimit(limit: number | undefined, used: number, items: string): void {
  if (limit !== undefined && used >= limit) {
    throw new Refusal('plan_limit', `The plan allows ${limit} ${items}`);
  }
}

/** Returns the item with this id, or throws a Refusal. `what` is the noun in the error message. */
export function findById<Item extends { readonly id: number }>(items: readonly Item[], id: string, what: string): Item {
  return requireFound(
    items.find((item) => String(item.id) === id),
    `There is no ${what} ${id}`,
  );
}
