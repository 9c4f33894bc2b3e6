import type { Reason } from './error.ts';
import type { Method } from './method.ts';

/** Error texts seen for a missing permission: they name the method, unlike the text for a wrong password. */
const permissionText = /cannot access (?:the )?method|method disabled/i;
/** Texts that mean a missing permission if the credentials are known to be right. */
const likelyPermissionText = /cannot access|access denied|not (?:allowed|permitted)/i;

/** When an accepted call was sent and answered, as sequence numbers. */
interface Acceptance {
  readonly sent: number;
  readonly answered: number;
}

interface Rejection {
  /** Sequence number of the answer. */
  readonly answered: number;
  readonly reason: Reason;
}

/** The newest answers over a restart, as sequence numbers. */
export interface AccessSnapshot {
  readonly sequence: number;
  readonly accepted: readonly (readonly [Method, Acceptance])[];
  readonly rejected: readonly (readonly [Method, Rejection])[];
}

/**
 * The newest answer of each method of one account. The provider rejects a method without permission with the error code of
 * a wrong password, so only the answers of the other methods tell the two apart.
 */
export class MethodAccess {
  #sequence = 0;
  readonly #accepted = new Map<Method, Acceptance>();
  readonly #rejected = new Map<Method, Rejection>();

  snapshot(): AccessSnapshot {
    return { sequence: this.#sequence, accepted: [...this.#accepted], rejected: [...this.#rejected] };
  }

  restore({ sequence, accepted, rejected }: AccessSnapshot): void {
    this.#sequence = Math.max(this.#sequence, sequence);
    for (const [method, acceptance] of accepted) this.#accepted.set(method, acceptance);
    for (const [method, rejection] of rejected) this.#rejected.set(method, rejection);
  }

  /** Records that a call is sent with the current credentials. Returns its sequence number. */
  sent(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  accepted(method: Method, sent: number): void {
    this.#sequence += 1;
    this.#accepted.set(method, { sent, answered: this.#sequence });
    this.#rejected.delete(method);
  }

  /**
   * The reason of a rejected call: `auth` becomes `permission` if another method accepts the credentials. The accepted call
   * must be sent and answered between two rejections, because answers can overtake each other while a password changes.
   * Calls that were in progress at a rejection of their method share its reason.
   */
  rejected(method: Method, reason: Reason, text: string, sent: number): Reason {
    if (reason !== 'auth') return reason;
    this.#sequence += 1;
    this.#accepted.delete(method);
    const previous = this.#rejected.get(method);
    const decided =
      previous !== undefined && sent < previous.answered ? previous.reason : this.#decide(text, sent, previous);
    this.#rejected.set(method, { answered: this.#sequence, reason: decided });
    return decided;
  }

  #decide(text: string, sent: number, previous: Rejection | undefined): Reason {
    const others = [...this.#accepted.values()];
    const isPermissionText = permissionText.test(text) || (others.length > 0 && likelyPermissionText.test(text));
    const wasOtherAccepted =
      previous !== undefined && others.some((other) => other.sent > previous.answered && other.answered < sent);
    return isPermissionText || wasOtherAccepted ? 'permission' : 'auth';
  }
}
