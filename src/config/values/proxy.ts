import { ProxyAgent } from 'undici';
import type { Problem } from './config-error.ts';
import { readOr } from './expected-error.ts';

/** The proxy for a scheme: its environment variable and its URL. A URL without a scheme means an HTTP proxy, as in curl. */
export function proxyOf(environment: Readonly<Record<string, string | undefined>>, scheme: 'http' | 'https') {
  const lower = `${scheme}_proxy`;
  const name = environment[lower] === undefined ? lower.toUpperCase() : lower;
  const written = environment[name]?.trim() ?? '';
  return { name, url: written === '' || written.includes('://') ? written : `http://${written}` };
}

/** Returns a problem for each variable that does not contain the URL of a proxy. Omits the value, which may contain a password. */
export function proxyProblems(environment: Readonly<Record<string, string | undefined>>): readonly Problem[] {
  return (['https', 'http'] as const).flatMap((scheme) => {
    const { name, url } = proxyOf(environment, scheme);
    if (url === '' || readOr(false, () => new ProxyAgent(url).close() !== undefined)) return [];
    const message =
      'is not the URL of a proxy; write one such as http://proxy.example.com:3128, without a path and with special characters of user and password encoded, or unset it';
    return [{ source: name, message }];
  });
}

/** Warns of entries of NO_PROXY that match no host. */
export function proxyWarnings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const name = environment['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
  const isProxied = (['http', 'https'] as const).some((scheme) => proxyOf(environment, scheme).url !== '');
  const matchesNothing = (environment[name] ?? '').split(/[,\s]/).some((host) => /\/|.\*/.test(host));
  const problem = 'contains a network or a pattern, such as 10.0.0.0/8 or 192.168.*, which matches no host';
  return isProxied && matchesNothing ? [`${name}: ${problem}; write host names, domains or single addresses`] : [];
}
