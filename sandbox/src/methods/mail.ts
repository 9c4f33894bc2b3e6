import type { JsonObject } from '../json.ts';
import { checkPlanLimit, Refusal, requireFound } from '../refusal.ts';
import { findName } from '../state/domains.ts';
import { isMailAddress, isMailboxName, isSameName, readHostName } from '../state/names.ts';
import { type AccountRecord, type ForwardStatus, forwardStatuses, type MailboxRecord } from '../state/records.ts';
import { change, read, type SandboxSection } from './method.ts';

/** The provider's error code for a weak password. */
const weakPassword = 1208;

const identity = ['domain', 'mailbox'];

const create = change(
  'create a mailbox',
  [...identity, 'mailbox_password'],
  ({ account }, domain, mailbox, password) => {
    if (!isMailboxName(mailbox)) {
      const form = 'must have 1 to 64 letters, digits, _, + and -, and single dots';
      throw new Refusal('invalid', `The name of a mailbox ${form}`);
    }
    if (mailboxesOf(account, domain).some((candidate) => isSameMailbox(candidate, mailbox))) {
      throw new Refusal('failed', `The mailbox ${mailbox}@${domain} already exists`);
    }
    checkPlanLimit(account.plan.mailboxes, account.mailboxes.length, 'mailboxes');
    checkPassword(password);
    const { fqdn } = findName(account, domain);
    account.mailboxes.push({
      mailbox,
      domain: fqdn,
      password,
      spamFilter: true,
      forwardStatus: 'no_forward',
      forwardTo: [],
    });
  },
);

const remove = change('delete a mailbox', identity, ({ account }, domain, mailbox) =>
  account.mailboxes.splice(account.mailboxes.indexOf(findMailbox(account, domain, mailbox)), 1),
);

const changePassword = change(
  'change a mailbox password',
  [...identity, 'mailbox_password'],
  ({ account }, domain, mailbox, password) => {
    checkPassword(password);
    findMailbox(account, domain, mailbox).password = password;
  },
);

// The specification does not define the parameters, so the parameters follow the provider. If the parameter domain is missing, the list
// contains all mailboxes. Without forward_mailbox, setForward removes the forwarding. The list contains forwarding addresses, because no
// other method of the specification returns them.
const specification: SandboxSection = {
  getMailboxList: read('list mailboxes', ['domain?'], ({ account, args }) =>
    mailboxesOf(account, args.optionalText('domain')).map((mailbox) => ({
      ...mailboxRecord(mailbox),
      forward_mailbox: mailbox.forwardTo,
    })),
  ),
  createMailbox: create,
  deleteMailbox: remove,
  changePassword,
  setForward: change(
    'configure forwarding',
    [...identity, 'forward_mailbox?', 'forward_mail_status?'],
    ({ account, args }, domain, name) => {
      const mailbox = findMailbox(account, domain, name);
      const targets = args.has('forward_mailbox') ? args.texts('forward_mailbox') : [];
      const status = args.has('forward_mail_status') ? forwardStatus(args.text('forward_mail_status')) : 'forward';
      targets.forEach(checkForwardTarget);
      mailbox.forwardTo = [...targets];
      mailbox.forwardStatus = targets.length === 0 ? 'no_forward' : status;
    },
  ),
};

const provider: SandboxSection = {
  getMailboxList: read('list mailboxes of a domain', ['domain'], ({ account }, domain) =>
    mailboxesOf(account, domain).map(mailboxRecord),
  ),
  createMailbox: create,
  dropMailbox: remove,
  changeMailboxPassword: changePassword,
  changeMailboxSettings: change(
    'change the spam filter and forwarding',
    [...identity, 'spam_filter_status[]', 'spam_filter?', 'forward_mail_status'],
    ({ account, args }, domain, name, statusText) => {
      const mailbox = findMailbox(account, domain, name);
      const status = forwardStatus(statusText);
      mailbox.spamFilter = args.flag('spam_filter_status');
      mailbox.forwardStatus = status;
    },
  ),
  forwardListShow: read('list the forwarding addresses of a mailbox', identity, ({ account }, domain, mailbox) =>
    findMailbox(account, domain, mailbox).forwardTo.map((forward_mailbox) => ({ forward_mailbox })),
  ),
  forwardListAddMailbox: change(
    'add a forwarding address',
    [...identity, 'forward_mailbox'],
    ({ account }, domain, name, target) => {
      const mailbox = findMailbox(account, domain, name);
      checkForwardTarget(target);
      if (mailbox.forwardTo.some((existing) => isSameName(existing, target))) {
        throw new Refusal('failed', `${target} is already a forwarding address`);
      }
      mailbox.forwardTo.push(target);
    },
  ),
  forwardListDeleteMailbox: change(
    'remove a forwarding address',
    [...identity, 'forward_mailbox'],
    ({ account }, domain, name, target) => {
      const mailbox = findMailbox(account, domain, name);
      const kept = mailbox.forwardTo.filter((existing) => !isSameName(existing, target));
      if (kept.length === mailbox.forwardTo.length) {
        throw new Refusal('failed', `${target} is not a forwarding address`);
      }
      mailbox.forwardTo = kept;
    },
  ),
  setDomainMail: change(
    'deliver mail for unknown mailboxes of a domain to one mailbox, given as a full address',
    ['domain', 'domain_mailbox'],
    ({ account }, name, address) => {
      const { fqdn } = findName(account, name);
      if (!isMailAddress(address)) {
        throw new Refusal('invalid', 'domain_mailbox must be a mail address');
      }
      const [local = '', host = ''] = address.split('@');
      const { mailbox, domain } = findMailbox(account, host, local);
      account.domainMailboxes.set(fqdn, `${mailbox}@${domain}`);
    },
  ),
  clearDomainMail: change('reject mail for unknown mailboxes of a domain', ['domain'], ({ account }, domain) =>
    account.domainMailboxes.delete(findName(account, domain).fqdn),
  ),
};

export const mail = { specification, provider };

/** Mailboxes of one domain, or all mailboxes of the account. */
function mailboxesOf(account: AccountRecord, domain?: string): readonly MailboxRecord[] {
  if (domain === undefined) {
    return account.mailboxes;
  }
  const { fqdn } = findName(account, readHostName(domain));
  return account.mailboxes.filter((mailbox) => isSameName(mailbox.domain, fqdn));
}

function findMailbox(account: AccountRecord, domain: string, mailbox: string): MailboxRecord {
  return requireFound(
    mailboxesOf(account, domain).find((candidate) => isSameMailbox(candidate, mailbox)),
    `There is no mailbox ${mailbox}@${domain}`,
  );
}

function isSameMailbox({ mailbox }: MailboxRecord, name: string): boolean {
  return mailbox.toLowerCase() === name.toLowerCase();
}

function checkForwardTarget(target: string): void {
  if (!isMailAddress(target)) throw new Refusal('invalid', 'forward_mailbox must be a mail address');
}

function checkPassword(password: string): void {
  if (password.length < 6) {
    throw new Refusal('failed', 'The password is too weak: it needs at least 6 characters', weakPassword);
  }
}

function forwardStatus(text: string): ForwardStatus {
  const status = forwardStatuses.find((candidate) => candidate === text);
  if (status === undefined) {
    throw new Refusal('invalid', `forward_mail_status must be one of ${forwardStatuses.join(', ')}`);
  }
  return status;
}

function mailboxRecord(record: MailboxRecord): JsonObject {
  return {
    mailbox: record.mailbox,
    domain: record.domain,
    spam_filter_status: record.spamFilter ? 1 : 0,
    forward_mail_status: record.forwardStatus,
  };
}
