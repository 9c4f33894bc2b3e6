import type { Reason } from './error.ts';
import { type Method, sectionOf } from './method.ts';

/** Texts that were seen with a section that the owner has not ticked. A wrong password reads otherwise. */
const namesTheMethod = /cannot access|access denied|method disabled|not (?:allowed|permitted)/i;

/**
 * What an account's sections answered last. The provider refuses a section that the owner has not ticked with the
 * code of a wrong password; which of the two it is shows only in what the other sections answer.
 */
export class SectionMemory {
  #clock = 0;
  readonly #acceptedAt = new Map<string, number>();
  readonly #refusedAt = new Map<string, number>();

  accepted(method: Method): void {
    this.#clock += 1;
    this.#acceptedAt.set(sectionOf(method), this.#clock);
    this.#refusedAt.delete(sectionOf(method));
  }

  /** The reason of a refusal: `auth` becomes `permission` where the credentials are good for another section. */
  refused(method: Method, reason: Reason, text: string): Reason {
    if (reason !== 'auth') return reason;
    const section = sectionOf(method);
    const refusedBefore = this.#refusedAt.get(section) ?? Number.POSITIVE_INFINITY;
    this.#clock += 1;
    this.#acceptedAt.delete(section);
    this.#refusedAt.set(section, this.#clock);
    const newestAccepted = Math.max(0, ...this.#acceptedAt.values());
    const toldByText = newestAccepted > 0 && namesTheMethod.test(text);
    return toldByText || newestAccepted > refusedBefore ? 'permission' : 'auth';
  }
}
