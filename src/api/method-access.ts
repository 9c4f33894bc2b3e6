import type { Reason } from './error.ts';
import type { Method } from './method.ts';

/** Observed texts for a missing permission. The text for a wrong password does not mention the method. */
const permissionText = /cannot access (?:the )?method|method disabled/i;
/** Texts that mean a missing permission if the API accepts the same credentials for another method. */
const likelyPermissionText = /cannot access|access denied|not (?:allowed|permitted)/i;

interface MethodRejection {
  readonly answered: number;
  readonly reason: Reason;
}

/** Keeps the newest answer for each method, to tell a missing permission from a wrong password: both have the same error code. */
export class MethodAccess {
  #sequence = 0;
  readonly #accepted = new Map<Method, { readonly sent: number; readonly answered: number }>();
  readonly #rejected = new Map<Method, MethodRejection>();

  snapshot() {
    return { sequence: this.#sequence, accepted: [...this.#accepted], rejected: [...this.#rejected] };
  }

  restore({ sequence, accepted, rejected }: ReturnType<MethodAccess['snapshot']>): void {
    this.#sequence = Math.max(this.#sequence, sequence);
    for (const [method, acceptance] of accepted) this.#accepted.set(method, acceptance);
    for (const [method, rejection] of rejected) this.#rejected.set(method, rejection);
  }

  /** Records that a call is sent. Returns its sequence number. */
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
   * Returns `permission` instead of `auth` if the text means a missing permission, or if the API accepted another method between two
   * rejections of this one. One rejection may mean a new password. A call sent before the last rejection gets the reason of that rejection.
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

  #decide(text: string, sent: number, previous: MethodRejection | undefined): Reason {
    const others = [...this.#accepted.values()];
    const isPermissionText = permissionText.test(text) || (others.length > 0 && likelyPermissionText.test(text));
    const wasOtherAccepted =
      previous !== undefined && others.some((other) => other.sent > previous.answered && other.answered < sent);
    return isPermissionText || wasOtherAccepted ? 'permission' : 'auth';
  }
}
