import type { Credentials } from '../config/config.ts';

/** The parts of a call that say who calls and what is asked. */
export interface RequestForm {
  readonly headers: Readonly<Record<string, string>>;
  /** `application/x-www-form-urlencoded` */
  readonly body: string;
}

/**
 * Credentials go into the body or a header, never into the URL, which proxies and logs keep. `secret` is the password or
 * token as it is now.
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
