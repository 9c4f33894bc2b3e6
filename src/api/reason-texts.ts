import type { Reason } from './error.ts';

/** What a reason means and what to do, in Markdown. A test compares the table in docs/reading-metrics.md with these texts. */
export const reasonTexts: Readonly<Record<Reason, { readonly happened: string; readonly advice: string }>> = {
  network: {
    happened: 'no connection, a reset connection, or a DNS or TLS error',
    advice:
      'Check `base_url`, the network, and the proxy (`HTTPS_PROXY`). For a private certificate authority, set `ca_file`.',
  },
  timeout: {
    happened: 'no complete answer in time',
    advice: 'The provider is slow. If it always is, raise `timeout`.',
  },
  http: {
    happened: 'an HTTP status other than 2xx without an answer of the API, or a redirect, which is never followed',
    advice: "Check `base_url`. A 5xx is the provider's problem.",
  },
  payload: {
    happened: 'the answer is not JSON, not from this API, too large, or has an invalid or impossible value',
    advice:
      'If a field is invalid, the message names it, and only its series are missing. If a number such as `1,024 MB` is ambiguous, set `number_format`. Otherwise check `base_url`. If it persists, please open an issue.',
  },
  auth: {
    happened: 'the login or password was rejected',
    advice:
      'Check login and password, and that API access is enabled in the control panel. The password must be the one for the API, which differs from that of the control panel.',
  },
  permission: {
    happened: 'the method is not permitted',
    advice:
      'Tick the section for the API password in the control panel, or permit the method that `check` names, or disable the collector.',
  },
  limit: {
    happened: 'too many calls in this minute, perhaps by your other tools',
    advice:
      'Nothing: the exporter pauses for a minute, or as long as the API asks. If it persists, lower `requests_per_minute` or poll less often.',
  },
  request: {
    happened: 'the API does not know the method or its arguments',
    advice: 'The provider may use another dialect of the API: try `input_format`, or disable the collector.',
  },
  method: {
    happened: 'the method failed at the provider',
    advice: 'Wait. If it persists, ask the provider.',
  },
  api: {
    happened: 'an undocumented error code',
    advice: 'The message contains it. Please open an issue.',
  },
  local: {
    happened:
      "a fault on the exporter's machine: a secret file that cannot be read, or no free file descriptor. No call was sent.",
    advice: 'The message says what is wrong.',
  },
};

/** The advice as plain text, for a terminal. */
export function adviceFor(reason: Reason): string {
  return reasonTexts[reason].advice.replaceAll('`', '');
}
