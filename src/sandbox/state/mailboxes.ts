import { checkPlanLimit, Refusal, requireFound } from '../refusal.ts';
import { findName } from './domains.ts';
import { isMailAddress, isMailboxName, isSameName, readHostName } from './names.ts';
import type { AccountRecord, MailboxRecord } from './records.ts';

/** The provider's error code for a weak password. */
const weakPassword = 1208;

/** Mailboxes of one domain, or all mailboxes of the account. */
export function mailboxesOf(state: AccountRecord, domain?: string): readonly MailboxRecord[] {
  if (domain === undefined) {
    return state.mailboxes;
  }
  const { fqdn } = findName(state, readHostName(domain));
  return state.mailboxes.filter((mailbox) => isSameName(mailbox.domain, fqdn));
}

export function findMailbox(state: AccountRecord, domain: string, mailbox: string): MailboxRecord {
  return requireFound(
    mailboxesOf(state, domain).find((candidate) => isSameMailbox(candidate, mailbox)),
    `There is no mailbox ${mailbox}@${domain}`,
  );
}

export function createMailbox(state: AccountRecord, domain: string, mailbox: string, password: string): void {
  if (!isMailboxName(mailbox)) {
    throw new Refusal(
      'invalid',
      'The name of a mailbox must have 1 to 64 letters, digits, _, + and -, and single dots',
    );
  }
  if (mailboxesOf(state, domain).some((candidate) => isSameMailbox(candidate, mailbox))) {
    throw new Refusal('failed', `The mailbox ${mailbox}@${domain} already exists`);
  }
  checkPlanLimit(state.plan.mailboxes, state.mailboxes.length, 'mailboxes');
  checkPassword(password);
  state.mailboxes.push({
    mailbox,
    domain: findName(state, domain).fqdn,
    password,
    spamFilter: true,
    forwardStatus: 'no_forward',
    forwardTo: [],
  });
}

export function deleteMailbox(state: AccountRecord, domain: string, mailbox: string): void {
  state.mailboxes.splice(state.mailboxes.indexOf(findMailbox(state, domain, mailbox)), 1);
}

export function changeMailboxPassword(state: AccountRecord, domain: string, mailbox: string, password: string): void {
  checkPassword(password);
  findMailbox(state, domain, mailbox).password = password;
}

/** Throws a Refusal if mail cannot be forwarded to one of the targets. */
export function checkForwardTargets(targets: readonly string[]): void {
  const wrong = targets.find((target) => !isMailAddress(target));
  if (wrong !== undefined) {
    throw new Refusal('invalid', 'forward_mailbox must be a mail address');
  }
}

function isSameMailbox({ mailbox }: MailboxRecord, name: string): boolean {
  return mailbox.toLowerCase() === name.toLowerCase();
}

function checkPassword(password: string): void {
  if (password.length < 6) {
    throw new Refusal('failed', 'The password is too weak: it needs at least 6 characters', weakPassword);
  }
}
