import type { Credentials } from '../config/config.ts';

/** The parts of a call that say who calls and what is asked. */
export interface RequestForm {
  readonly headers: Readonly<Record<string, string>>;
  /** `application/x-www-form-urlencoded` */
  readonly body: string;
}

/** Credentials go into the body or a header, never into the URL, which proxies and logs keep. */
export function requestForm(
  credentials: Credentials,
  parameters: Readonly<Record<string, string>>,
  format: 'plain' | 'json',
): RequestForm {
  const form = new URLSearchParams();
  const headers: Record<string, string> = {};
  if (credentials.kind === 'token') {
    headers['authorization'] = `Bearer ${credentials.token.reveal()}`;
  } else {
    form.set('login', credentials.login);
    form.set('passwd', credentials.password.reveal());
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

/** The text without the secret, in whatever way it may have been written into it. */
export function redact(text: string, credentials: Credentials): string {
  const secret = (credentials.kind === 'token' ? credentials.token : credentials.password).reveal();
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
  return forms.reduce((rest, form) => rest.replaceAll(form, '[secret]'), text);
}
