import type { Reason } from './error.ts';
import { type Method, sectionOf } from './method.ts';

/** Error texts seen for a section without permission: they name the method, unlike the text for a wrong password. */
const permissionText = /cannot access (?:the )?method|method disabled/i;
/** Texts that mean a missing permission if the credentials are known to be right. */
const likelyPermissionText = /cannot access|access denied|not (?:allowed|permitted)/i;

/** When an accepted call was sent and answered, as sequence numbers. */
interface Acceptance {
  readonly sent: number;
  readonly answered: number;
}

/**
 * The newest answer of each section of one account. The provider rejects a section without permission with the error code
 * of a wrong password, so only the answers of the other sections tell the two apart.
 */
export class SectionAccess {
  #sequence = 0;
  readonly #accepted = new Map<string, Acceptance>();
  readonly #rejectedAt = new Map<string, number>();

  /** Records that a call is sent with the current credentials. Returns its sequence number. */
  sent(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  accepted(method: Method, sent: number): void {
    this.#sequence += 1;
    this.#accepted.set(sectionOf(method), { sent, answered: this.#sequence });
    this.#rejectedAt.delete(sectionOf(method));
  }

  /**
   * The reason of a rejected call: `auth` becomes `permission` if another section accepts the credentials. The accepted call
   * must be sent and answered between two rejections, because answers can overtake each other while a password changes.
   */
  rejected(method: Method, reason: Reason, text: string, sent: number): Reason {
    if (reason !== 'auth') return reason;
    const section = sectionOf(method);
    const previousRejection = this.#rejectedAt.get(section) ?? Number.POSITIVE_INFINITY;
    this.#sequence += 1;
    this.#accepted.delete(section);
    this.#rejectedAt.set(section, this.#sequence);
    const others = [...this.#accepted.values()];
    const isPermissionText = permissionText.test(text) || (others.length > 0 && likelyPermissionText.test(text));
    const wasOtherAccepted = others.some((other) => other.sent > previousRejection && other.answered < sent);
    return isPermissionText || wasOtherAccepted ? 'permission' : 'auth';
  }
}
