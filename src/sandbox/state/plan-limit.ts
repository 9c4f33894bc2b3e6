import { Refusal } from '../refusal.ts';

/** Throws a Refusal if the plan does not allow one more. `items` names them in the error. */
export function checkPlanLimit(limit: number | undefined, used: number, items: string): void {
  if (limit !== undefined && used >= limit) {
    throw new Refusal('plan_limit', `The plan allows ${limit} ${items}`);
  }
}
