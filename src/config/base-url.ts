/** Why a text is not the URL of an API; undefined if it is. Does not repeat the text. */
export function validateBaseUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'is not a URL; write it in full, such as https://api.example.com/api';
  }
  if (url.username !== '' || url.password !== '') {
    return 'contains a login or password; use the keys login and password of the account';
  }
  if (/[?#]/.test(text)) return 'contains a query or fragment; remove everything from ? or # on';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'sends the password unencrypted; use https:// (http:// is allowed for localhost only)';
  }
  return undefined;
}

/** The URL without a slash at the end, so that methods can be appended. */
export function normalizeBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

/** Expects a hostname that URL has normalized: complete IPv4 addresses, compressed IPv6 addresses in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
