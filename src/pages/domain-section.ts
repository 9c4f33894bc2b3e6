import { html, type SafeHtml } from '@remix-run/html-template';
import { phpSupportEnd } from '../rules/php-support.ts';
import { longTable, section } from './account-sections.ts';
import { column, detail, known, quiet, rated } from './components.ts';
import type { PageContext } from './context.ts';
import { expiryDay } from './figure-cells.ts';
import type { AccountDetail } from './view/account-detail.ts';

export function domains(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { figures, summary, answered } = account;
  const expiry = new Map(summary.domains.map((deadline) => [deadline.domain, deadline]));
  const renews = figures.by('domain', 'hosting_domain_auto_renew');
  const renewals = figures.labelsBy('domain', 'hosting_domain_renewal_info');
  const registration = figures.labelsBy('domain', 'hosting_domain_info');
  const site = figures.labelsBy('domain', 'hosting_site_domain_info');
  const php = figures.labelsBy('domain', 'hosting_domain_php_info');
  const records = Map.groupBy(figures.samples('hosting_domain_dns_records'), ({ labels }) => labels['domain'] ?? '');
  const mailboxes = figures.by('domain', 'hosting_mailboxes');
  const forwarding = figures.by('domain', 'hosting_mailboxes_forwarding');
  const unfiltered = figures.by('domain', 'hosting_mailboxes_spam_filter_disabled');
  const named = [expiry, renews, registration, site, php, records, mailboxes];
  const timeOf = (name: string) => expiry.get(name)?.time ?? Number.POSITIVE_INFINITY;
  // For two domains without dates, the difference of times is NaN, which is falsy. Then their names determine the order.
  const names = [...new Set(named.flatMap((byDomain) => [...byDomain.keys()]))].sort(
    (a, b) => timeOf(a) - timeOf(b) || (a < b ? -1 : 1),
  );
  const under = figures.by('domain', 'hosting_domain_under_control');
  const https = figures.by('domain', 'hosting_site_domain_https');
  const absent = (applies: boolean) => (applies ? texts.unknown : '—');
  const isListed = (name: string) => registration.size === 0 || registration.has(name);
  // Subdomains and technical names of the provider have no registration. If no registrations are known, every name counts as registered.
  const isRegistered = (name: string) =>
    registration.size === 0 ||
    expiry.has(name) ||
    under.get(name) === 1 ||
    (registration.get(name)?.['registrar'] ?? '') !== '';
  const unregistered = (name: string) => absent(isRegistered(name));
  const hasSite = (name: string) => site.size === 0 || site.has(name);
  const count = (number = 0, words: (count: string) => string) =>
    number > 0 ? detail(words(format.number(number))) : undefined;
  const content = longTable(context, 'domains', names, () => [
    column(texts.domain, (name) => html`<bdi>${name}</bdi>`),
    column(texts.expires, (name) => {
      const deadline = expiry.get(name);
      if (deadline === undefined) return quiet(unregistered(name));
      return [expiryDay(context, deadline), detail(format.date(deadline.time))];
    }),
    column(texts.renewal, (name) => {
      const isAutomatic = renews.get(name);
      const renewal = isAutomatic === 1 ? texts.automatic : texts.manual;
      const status = renewals.get(name)?.['status'] ?? '';
      const note = status === '' ? undefined : detail(texts.renewalStatus(status));
      const isUnknown = isAutomatic === undefined || (isAutomatic === 0 && !isRegistered(name));
      return [isUnknown ? quiet(unregistered(name)) : renewal, note];
    }),
    column(texts.registrar, (name) => {
      const { registrar = '', status = '' } = registration.get(name) ?? {};
      if (registrar === '') return quiet(unregistered(name));
      return html`<span>${registrar}</span>${detail(texts.domainStatus(status))}`;
    }),
    column('PHP', (name) => {
      const version = php.get(name)?.['version'] || site.get(name)?.['php_version'] || '';
      if (version === '') return quiet(absent(hasSite(name)));
      if (context.now < phpSupportEnd(version)) return version;
      return [html`<span>${version}</span>`, detail(rated('warning', texts.noSecurityFixes))];
    }),
    column('HTTPS', (name) => {
      const isOn = https.get(name);
      const certificate = site.get(name)?.['ssl_status'] ?? '';
      if (isOn === 0) return rated('warning', texts.httpsState.off);
      const words = certificate === '' ? undefined : texts.certificateStatus(certificate);
      if (isOn === undefined) return words ?? quiet(absent(hasSite(name)));
      return [html`<span>${texts.httpsState.on}</span>`, words && detail(words)];
    }),
    column(texts.mailboxes, (name) =>
      known(
        context,
        mailboxes.get(name),
        (all) => [
          html`<span>${format.number(all)}</span>`,
          count(forwarding.get(name), texts.forwarding),
          count(unfiltered.get(name), texts.unfiltered),
        ],
        absent(isListed(name)),
      ),
    ),
    // Show the column only if it has figures. The collector `dns` is disabled by default.
    ...(answered.has('dns')
      ? [
          column<string>(texts.dnsRecords, (name) => {
            // A no-break space keeps each type and its number on one line.
            const counts = (records.get(name) ?? []).map(({ labels, value }) => {
              return `${labels['type']}\u00a0${format.number(value)}`;
            });
            return counts.length === 0 ? quiet(absent(isListed(name))) : html`<span>${counts.join(', ')}</span>`;
          }),
        ]
      : []),
  ]);
  return section(context, account, 'domains', content);
}
