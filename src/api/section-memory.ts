import type { Reason } from './error.ts';
import { type Method, sectionOf } from './method.ts';

/** Texts that were seen with a section that the owner has not ticked. A wrong password reads otherwise. */
const namesTheMethod = /cannot access|access denied|method disabled|not (?:allowed|permitted)/i;

/** When a call was sent and answered, by the memory's own clock. */
interface Acceptance {
  readonly sent: number;
  readonly answered: number;
}

/**
 * What an account's sections answered last. The provider refuses a section that the owner has not ticked with the
 * code of a wrong password; which of the two it is shows only in what the other sections answer.
 */
export class SectionMemory {
  #clock = 0;
  readonly #accepted = new Map<string, Acceptance>();
  readonly #refusedAt = new Map<string, number>();

  /** Notes that a call is sent, with the credentials as they are now. What it gives belongs to the call's answer. */
  sent(): number {
    this.#clock += 1;
    return this.#clock;
  }

  accepted(method: Method, sent: number): void {
    this.#clock += 1;
    this.#accepted.set(sectionOf(method), { sent, answered: this.#clock });
    this.#refusedAt.delete(sectionOf(method));
  }

  /**
   * The reason of a refusal: `auth` becomes `permission` where the credentials are good for another section. That one's
   * call must lie between two refusals as a whole: answers may overtake each other while a password is changed.
   */
  refused(method: Method, reason: Reason, text: string, sent: number): Reason {
    if (reason !== 'auth') return reason;
    const section = sectionOf(method);
    const refusedBefore = this.#refusedAt.get(section) ?? Number.POSITIVE_INFINITY;
    this.#clock += 1;
    this.#accepted.delete(section);
    this.#refusedAt.set(section, this.#clock);
    const others = [...this.#accepted.values()];
    const toldByText = others.length > 0 && namesTheMethod.test(text);
    const toldByOthers = others.some((other) => other.sent > refusedBefore && other.answered < sent);
    return toldByText || toldByOthers ? 'permission' : 'auth';
  }
}
