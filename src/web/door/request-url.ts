export function pathOf(url = ''): string {
  return url.replace(/\?.*/s, '');
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.slice(pathOf(url).length + 1));
}
