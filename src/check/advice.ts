import { sectionLabel, sectionOf } from '../api/method.ts';
import type { AccountResult, CollectorResult } from './result.ts';

/** Seconds. A larger skew shifts dates of the API into another hour or day. */
const maxClockSkew = 60;

/** Days. A certificate that expires earlier triggers a warning. */
const minCertificateDays = 14;

export type ResultWithoutAdvice = Omit<AccountResult, 'advice'>;

/** What to do about the problems of an account; empty if it has none. */
export function advise(result: ResultWithoutAdvice): readonly string[] {
  return [
    ...adviseConnection(result),
    ...adviseCredentials(result),
    ...advisePermissions(result.collectors),
    ...adviseClock(result),
    ...adviseCertificate(result),
    ...adviseBudget(result),
  ];
}

function adviseConnection({ connection, baseUrl, collectors }: ResultWithoutAdvice): readonly string[] {
  if (connection === 'ok') return [];
  if (connection === 'foreign') {
    return [`The server at ${baseUrl} is not the API: check base_url, which usually ends in /api.`];
  }
  if (collectors.some(({ detail }) => /certificate/i.test(detail))) {
    return [
      `The certificate of ${baseUrl} is not trusted: check base_url. For a private certificate authority, set ca_file.`,
    ];
  }
  return [`${baseUrl} is not reachable: check base_url, the network, and HTTPS_PROXY if a proxy is required.`];
}

function adviseCredentials({ credentials }: ResultWithoutAdvice): readonly string[] {
  if (credentials !== 'rejected') return [];
  return [
    'The API rejects the credentials: check the login and the API password, which differs from the password of the control panel, and enable API access in the control panel.',
  ];
}

function advisePermissions(collectors: readonly CollectorResult[]): readonly string[] {
  const denied = collectors.filter(({ state }) => state === 'not permitted');
  const sections = new Set(denied.flatMap(({ methods }) => methods.map(sectionOf)));
  return [...sections].map((section) => {
    const names = denied.filter(({ methods }) => methods.some((method) => method.startsWith(`${section}/`)));
    const list = names.map(({ collector }) => collector).join(', ');
    return `Tick "${sectionLabel(section)}" for the API password in the control panel, or disable ${list} in the configuration.`;
  });
}

function adviseClock({ clockSkewSeconds: skew }: ResultWithoutAdvice): readonly string[] {
  if (skew === undefined || Math.abs(skew) <= maxClockSkew) return [];
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return [`The API's clock is ${Math.abs(skew)} s ${direction} the clock of this machine: synchronize it with NTP.`];
}

function adviseCertificate({ tls }: ResultWithoutAdvice): readonly string[] {
  if (tls === undefined) return [];
  const days = Math.floor((Date.parse(tls.certificateEnds) - Date.now()) / 86_400_000);
  return days > minCertificateDays
    ? []
    : [`The API's certificate expires in ${days} days: ask the provider to renew it.`];
}

function adviseBudget({ callsPerMinute, budget }: ResultWithoutAdvice): readonly string[] {
  if (callsPerMinute <= budget) return [];
  return [
    `The schedules require ${callsPerMinute} calls per minute, but the budget is ${budget}: the intervals of fan-out collectors will be stretched. Poll less often, or raise requests_per_minute if the provider allows it.`,
  ];
}
