import type { Credentials } from '../config/config.ts';

/** Headers and body of a call: credentials, output format and parameters. */
export interface RequestForm {
  readonly headers: Readonly<Record<string, string>>;
  /** `application/x-www-form-urlencoded` */
  readonly body: string;
}

/**
 * Puts the credentials in the body or a header, never in the URL, because proxies and logs keep URLs. `secret` is the
 * current password or token.
 */
export function requestForm(
  credentials: Credentials,
  secret: string,
  parameters: Readonly<Record<string, string>>,
  format: 'plain' | 'json',
): RequestForm {
  const form = new URLSearchParams();
  const headers: Record<string, string> = {};
  if (credentials.kind === 'token') {
    headers['authorization'] = `Bearer ${secret}`;
  } else {
    form.set('login', credentials.login);
    form.set('passwd', secret);
  }
  form.set('output_format', 'json');
  if (format === 'json' && Object.keys(parameters).length > 0) {
    form.set('input_format', 'json');
    form.set('input_data', JSON.stringify(parameters));
  } else {
    for (const [name, value] of Object.entries(parameters)) form.set(name, value);
  }
  return { headers, body: form.toString() };
}
