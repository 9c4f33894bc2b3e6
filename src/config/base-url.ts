/** What is wrong with the address of an API; undefined where nothing is. The address itself is not repeated. */
export function baseUrlComplaint(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'is not an address; write it in full, such as https://api.example.com/api';
  }
  if (url.username !== '' || url.password !== '') {
    return 'holds a login or password; give them as login and password of the account';
  }
  if (/[?#]/.test(text)) return 'holds a query or fragment; leave out everything from ? or # on';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'would send the password unencrypted; use https:// (http:// is for localhost only)';
  }
  return undefined;
}

/** The address as methods are appended to it: without a slash at the end. */
export function normalizeBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

/** The hostname as URL writes it: numbers of IPv4 are complete there, and IPv6 is short and in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
