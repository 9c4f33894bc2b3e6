import type { Problem } from './config-error.ts';
import { readOr } from './expected-error.ts';

const usableProtocols: ReadonlySet<string | undefined> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** The variable and the URL of the proxy for a scheme. A URL without a scheme means an HTTP proxy, as in curl. */
export function proxyOf(environment: Readonly<Record<string, string | undefined>>, scheme: 'http' | 'https') {
  const lower = `${scheme}_proxy`;
  const name = environment[lower] === undefined ? lower.toUpperCase() : lower;
  const written = environment[name]?.trim() ?? '';
  return { name, url: written === '' || written.includes('://') ? written : `http://${written}` };
}

/** The variables whose value is not the URL of a proxy. Omits the values, which may contain a password. */
export function proxyProblems(environment: Readonly<Record<string, string | undefined>>): readonly Problem[] {
  return (['https', 'http'] as const).flatMap((scheme) => {
    const { name, url } = proxyOf(environment, scheme);
    if (url === '' || isUsable(URL.parse(url))) return [];
    const message = 'is not the URL of a proxy; write one such as http://proxy.example.com:3128, or unset it';
    return [{ source: name, message }];
  });
}

/** Whether undici accepts the URL of a proxy. undici must be able to decode the user name and password. */
function isUsable(url: URL | null): boolean {
  const login = readOr(undefined, () => decodeURIComponent(`${url?.username}${url?.password}`));
  return login !== undefined && usableProtocols.has(url?.protocol);
}
