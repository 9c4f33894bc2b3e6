import { Refusal, requireFound } from '../refusal.ts';
import { asciiName, findName } from './domains.ts';
import { checkPlanLimit } from './plan-limit.ts';
import type { AccountState, MailboxRecord } from './records.ts';

/** The provider's error code for a weak password. */
const weakPassword = 1208;

/** Mailboxes of one domain, or all mailboxes of the account. */
export function mailboxesOf(state: AccountState, domain?: string): readonly MailboxRecord[] {
  if (domain === undefined) {
    return state.mailboxes;
  }
  const name = asciiName(findName(state, domain).fqdn);
  return state.mailboxes.filter((mailbox) => asciiName(mailbox.domain) === name);
}

export function findMailbox(state: AccountState, domain: string, mailbox: string): MailboxRecord {
  return requireFound(
    mailboxesOf(state, domain).find((candidate) => candidate.mailbox === mailbox),
    `There is no mailbox ${mailbox}@${domain}`,
  );
}

export function createMailbox(state: AccountState, domain: string, mailbox: string, password: string): void {
  if (!/^[\p{L}\p{N}._+-]{1,64}$/u.test(mailbox)) {
    throw new Refusal('invalid', 'The name of a mailbox must have 1 to 64 letters, digits, ., _, + and -');
  }
  if (mailboxesOf(state, domain).some((candidate) => candidate.mailbox === mailbox)) {
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

export function deleteMailbox(state: AccountState, domain: string, mailbox: string): void {
  state.mailboxes.splice(state.mailboxes.indexOf(findMailbox(state, domain, mailbox)), 1);
}

export function changeMailboxPassword(state: AccountState, domain: string, mailbox: string, password: string): void {
  checkPassword(password);
  findMailbox(state, domain, mailbox).password = password;
}

function checkPassword(password: string): void {
  if (password.length < 6) {
    throw new Refusal('failed', 'The password is too weak: it needs at least 6 characters', weakPassword);
  }
}
