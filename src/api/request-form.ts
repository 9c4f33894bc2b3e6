import type { Credentials } from '../config/values/config.ts';

/** The query contains no credentials and no parameters, because proxies and logs store URLs. */
export function requestForm(
  credentials: Credentials,
  secret: string,
  parameters: Readonly<Record<string, string>>,
  format: 'plain' | 'json',
) {
  const form = new URLSearchParams();
  const headers: Record<string, string> = {};
  if (credentials.kind === 'token') {
    headers['authorization'] = `Bearer ${secret}`;
  } else {
    form.set('login', credentials.login);
    form.set('passwd', secret);
    form.set('output_format', 'json');
  }
  if (format === 'json' && Object.keys(parameters).length > 0) {
    form.set('input_format', 'json');
    form.set('input_data', JSON.stringify(parameters));
  } else {
    for (const [name, value] of Object.entries(parameters)) form.set(name, value);
  }
  return { headers, query: credentials.kind === 'token' ? '?output_format=json' : '', body: form.toString() };
}
