import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { findName } from '../state/domains.ts';
import {
  changeMailboxPassword,
  checkForwardTargets,
  createMailbox,
  deleteMailbox,
  findMailbox,
  mailboxesOf,
} from '../state/mailboxes.ts';
import { isMailAddress, isSameName } from '../state/names.ts';
import { type ForwardStatus, forwardStatuses, type MailboxRecord } from '../state/records.ts';
import type { Call, Change, SandboxSection, SpecificationSection } from './method.ts';

const create: Change = {
  purpose: 'create a mailbox',
  parameters: ['domain', 'mailbox', 'mailbox_password'],
  change: ({ account, args }) =>
    createMailbox(account, args.text('domain'), args.text('mailbox'), args.text('mailbox_password')),
};

const remove: Change = {
  purpose: 'delete a mailbox',
  parameters: ['domain', 'mailbox'],
  change: ({ account, args }) => deleteMailbox(account, args.text('domain'), args.text('mailbox')),
};

const changePassword: Change = {
  purpose: 'change a mailbox password',
  parameters: ['domain', 'mailbox', 'mailbox_password'],
  change: ({ account, args }) =>
    changeMailboxPassword(account, args.text('domain'), args.text('mailbox'), args.text('mailbox_password')),
};

// The specification does not define the parameters, so the parameters follow the provider. If the parameter domain is missing, the list
// contains all mailboxes. Without forward_mailbox, setForward removes the forwarding. The list contains forwarding addresses, because no
// other method of the specification returns them.
const specification: SpecificationSection = {
  getMailboxList: {
    purpose: 'list mailboxes',
    parameters: ['domain?'],
    answer: ({ account, args }) =>
      mailboxesOf(account, args.optionalText('domain')).map((mailbox) => ({
        ...mailboxRecord(mailbox),
        forward_mailbox: mailbox.forwardTo,
      })),
  },
  createMailbox: create,
  deleteMailbox: remove,
  changePassword,
  setForward: {
    purpose: 'configure forwarding',
    parameters: ['domain', 'mailbox', 'forward_mailbox?', 'forward_mail_status?'],
    change: ({ account, args }) => {
      const mailbox = selectedMailbox({ account, args });
      const targets = args.has('forward_mailbox') ? args.texts('forward_mailbox') : [];
      const status = args.has('forward_mail_status') ? forwardStatus(args.text('forward_mail_status')) : 'forward';
      checkForwardTargets(targets);
      mailbox.forwardTo = [...targets];
      mailbox.forwardStatus = targets.length === 0 ? 'no_forward' : status;
    },
  },
};

const provider: SandboxSection = {
  getMailboxList: {
    purpose: 'list mailboxes of a domain',
    parameters: ['domain'],
    answer: ({ account, args }) => mailboxesOf(account, args.text('domain')).map(mailboxRecord),
  },
  createMailbox: create,
  dropMailbox: remove,
  changeMailboxPassword: changePassword,
  changeMailboxSettings: {
    purpose: 'change the spam filter and forwarding',
    parameters: ['domain', 'mailbox', 'spam_filter_status', 'spam_filter?', 'forward_mail_status'],
    change: ({ account, args }) => {
      const mailbox = selectedMailbox({ account, args });
      const status = forwardStatus(args.text('forward_mail_status'));
      mailbox.spamFilter = args.flag('spam_filter_status');
      mailbox.forwardStatus = status;
    },
  },
  forwardListShow: {
    purpose: 'list the forwarding addresses of a mailbox',
    parameters: ['domain', 'mailbox'],
    answer: (call) => selectedMailbox(call).forwardTo.map((forward_mailbox) => ({ forward_mailbox })),
  },
  forwardListAddMailbox: {
    purpose: 'add a forwarding address',
    parameters: ['domain', 'mailbox', 'forward_mailbox'],
    change: (call) => {
      const mailbox = selectedMailbox(call);
      const target = call.args.text('forward_mailbox');
      checkForwardTargets([target]);
      if (mailbox.forwardTo.some((existing) => isSameName(existing, target))) {
        throw new Refusal('failed', `${target} is already a forwarding address`);
      }
      mailbox.forwardTo.push(target);
    },
  },
  forwardListDeleteMailbox: {
    purpose: 'remove a forwarding address',
    parameters: ['domain', 'mailbox', 'forward_mailbox'],
    change: (call) => {
      const mailbox = selectedMailbox(call);
      const target = call.args.text('forward_mailbox');
      const kept = mailbox.forwardTo.filter((existing) => !isSameName(existing, target));
      if (kept.length === mailbox.forwardTo.length) {
        throw new Refusal('failed', `${target} is not a forwarding address`);
      }
      mailbox.forwardTo = kept;
    },
  },
  setDomainMail: {
    purpose: 'deliver mail for unknown mailboxes of a domain to one mailbox, given as a full address',
    parameters: ['domain', 'domain_mailbox'],
    change: ({ account, args }) => {
      const { fqdn } = findName(account, args.text('domain'));
      const address = args.text('domain_mailbox');
      if (!isMailAddress(address)) {
        throw new Refusal('invalid', 'domain_mailbox must be a mail address');
      }
      const [local = '', host = ''] = address.split('@');
      const { mailbox, domain } = findMailbox(account, host, local);
      account.domainMailboxes.set(fqdn, `${mailbox}@${domain}`);
    },
  },
  clearDomainMail: {
    purpose: 'reject mail for unknown mailboxes of a domain',
    parameters: ['domain'],
    change: ({ account, args }) => account.domainMailboxes.delete(findName(account, args.text('domain')).fqdn),
  },
};

export const mail = { specification, provider };

function selectedMailbox({ account, args }: Pick<Call, 'account' | 'args'>): MailboxRecord {
  return findMailbox(account, args.text('domain'), args.text('mailbox'));
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
