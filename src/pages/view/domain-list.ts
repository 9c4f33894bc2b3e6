import type { Account } from '../../polling/account.ts';
import { phpSupportEnd } from '../../rules/php-support.ts';
import { Figures } from '../../store/figures.ts';
import { formatOf } from '../format.ts';
import type { AccountSummary } from './account-summary.ts';

/** The domains of an account, with the properties that reports contain. A property is missing if it is unknown or does not apply. */
export function readDomainList({ store, timeZone }: Account, { domains }: AccountSummary, now: number) {
  const figures = new Figures(store.families(['domains', 'sites', 'php_versions']));
  const deadlines = new Map(domains.map((deadline) => [deadline.domain, deadline]));
  const renewed = figures.by('domain', 'hosting_domain_auto_renew');
  const https = figures.by('domain', 'hosting_site_domain_https');
  const linked = figures.labelsBy('domain', 'hosting_site_domain_info');
  const versions = figures.labelsBy('domain', 'hosting_domain_php_info');
  const listed = figures.labelsBy('domain', 'hosting_domain_info');
  const isTrue = (value: number | undefined) => (value === undefined ? undefined : value === 1);
  return [...new Set([...listed, ...deadlines, ...linked].map(([name]) => name))].sort().map((domain) => {
    const deadline = deadlines.get(domain);
    const php = versions.get(domain)?.['version'] || linked.get(domain)?.['php_version'] || undefined;
    return {
      domain,
      expires: deadline && new Date(deadline.time).toISOString(),
      days: deadline && formatOf('en', timeZone).daysUntil(deadline.time, now),
      renewsAutomatically: deadline && isTrue(renewed.get(domain)),
      https: isTrue(https.get(domain)),
      php,
      phpUnsupported: php === undefined ? undefined : now >= phpSupportEnd(php),
    };
  });
}
