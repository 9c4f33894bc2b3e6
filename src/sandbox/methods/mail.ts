import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { findName } from '../state/domains.ts';
import { changeMailboxPassword, createMailbox, deleteMailbox, findMailbox, mailboxesOf } from '../state/mailboxes.ts';
import { type ForwardStatus, forwardStatuses, type MailboxRecord } from '../state/records.ts';
import type { Call, Method, Section } from './method.ts';

const create: Method = {
  purpose: 'create a mailbox',
  parameters: ['domain', 'mailbox', 'mailbox_password'],
  answer: ({ account, given }) => {
    createMailbox(account, given.text('domain'), given.text('mailbox'), given.text('mailbox_password'));
    return true;
  },
};

const remove: Method = {
  purpose: 'delete a mailbox',
  parameters: ['domain', 'mailbox'],
  answer: ({ account, given }) => {
    deleteMailbox(account, given.text('domain'), given.text('mailbox'));
    return true;
  },
};

const changePassword: Method = {
  purpose: 'change a mailbox password',
  parameters: ['domain', 'mailbox', 'mailbox_password'],
  answer: ({ account, given }) => {
    changeMailboxPassword(account, given.text('domain'), given.text('mailbox'), given.text('mailbox_password'));
    return true;
  },
};

// Not shown in the specification: the parameters, which are the provider's. Without domain the list holds all mailboxes. Without
// forward_mailbox, setForward ends the forwarding.
const specification: Section = {
  getMailboxList: {
    purpose: 'list mailboxes',
    parameters: ['domain?'],
    answer: ({ account, given }) => mailboxesOf(account, given.optionalText('domain')).map(mailboxRecord),
  },
  createMailbox: create,
  deleteMailbox: remove,
  changePassword,
  setForward: {
    purpose: 'configure forwarding',
    parameters: ['domain', 'mailbox', 'forward_mailbox?', 'forward_mail_status?'],
    answer: ({ account, given }) => {
      const mailbox = chosenMailbox({ account, given });
      const target = given.optionalText('forward_mailbox');
      const status = given.has('forward_mail_status') ? forwardStatus(given.text('forward_mail_status')) : 'forward';
      mailbox.forwardTo = target === undefined ? [] : [target];
      mailbox.forwardStatus = target === undefined ? 'no_forward' : status;
      return true;
    },
  },
};

const provider: Section = {
  getMailboxList: {
    purpose: 'list mailboxes of a domain',
    parameters: ['domain'],
    answer: ({ account, given }) => mailboxesOf(account, given.text('domain')).map(mailboxRecord),
  },
  createMailbox: create,
  dropMailbox: remove,
  changeMailboxPassword: changePassword,
  changeMailboxSettings: {
    purpose: 'change the spam filter and forwarding',
    parameters: ['domain', 'mailbox', 'spam_filter_status', 'spam_filter?', 'forward_mail_status'],
    answer: ({ account, given }) => {
      const mailbox = chosenMailbox({ account, given });
      const status = forwardStatus(given.text('forward_mail_status'));
      mailbox.spamFilter = given.flag('spam_filter_status');
      mailbox.forwardStatus = status;
      return true;
    },
  },
  forwardListShow: {
    purpose: 'list addresses that a mailbox forwards to',
    parameters: ['domain', 'mailbox'],
    answer: (call) => chosenMailbox(call).forwardTo.map((forward_mailbox) => ({ forward_mailbox })),
  },
  forwardListAddMailbox: {
    purpose: 'forward to one more address',
    parameters: ['domain', 'mailbox', 'forward_mailbox'],
    answer: (call) => {
      chosenMailbox(call).forwardTo.push(call.given.text('forward_mailbox'));
      return true;
    },
  },
  forwardListDeleteMailbox: {
    purpose: 'forward to one address less',
    parameters: ['domain', 'mailbox', 'forward_mailbox'],
    answer: (call) => {
      const mailbox = chosenMailbox(call);
      const target = call.given.text('forward_mailbox');
      mailbox.forwardTo = mailbox.forwardTo.filter((forward) => forward !== target);
      return true;
    },
  },
  setDomainMail: {
    purpose: 'catch mail to unknown mailboxes of a domain',
    parameters: ['domain', 'domain_mailbox'],
    answer: ({ account, given }) => {
      account.domainMailboxes.set(findName(account, given.text('domain')).fqdn, given.text('domain_mailbox'));
      return true;
    },
  },
  clearDomainMail: {
    purpose: 'refuse mail to unknown mailboxes of a domain',
    parameters: ['domain'],
    answer: ({ account, given }) => {
      account.domainMailboxes.delete(findName(account, given.text('domain')).fqdn);
      return true;
    },
  },
};

export const mail = { specification, provider };

function chosenMailbox({ account, given }: Pick<Call, 'account' | 'given'>): MailboxRecord {
  return findMailbox(account, given.text('domain'), given.text('mailbox'));
}

function forwardStatus(text: string): ForwardStatus {
  const status = forwardStatuses.find((candidate) => candidate === text);
  if (status === undefined) {
    throw new Refusal('invalid', `forward_mail_status is one of ${forwardStatuses.join(', ')}`);
  }
  return status;
}

function mailboxRecord(record: MailboxRecord): Json {
  return {
    mailbox: record.mailbox,
    domain: record.domain,
    spam_filter_status: record.spamFilter ? 1 : 0,
    forward_mail_status: record.forwardStatus,
  };
}
