import { sectionLabel, sectionOf } from '../api/method.ts';
import type { AccountFinding, CollectorFinding } from './finding.ts';

/** Seconds of skew from which on dates of the API mean another hour or day than it says. */
const tolerableSkew = 60;

const daysOfNotice = 14;

/** All but the advice itself. */
export type Finding = Omit<AccountFinding, 'advice'>;

/** What to do about findings, in plain words; nothing where all is well. */
export function advise(finding: Finding): readonly string[] {
  return [
    ...adviseConnection(finding),
    ...adviseCredentials(finding),
    ...adviseBoxes(finding.collectors),
    ...adviseClock(finding),
    ...adviseCertificate(finding),
    ...adviseBudget(finding),
  ];
}

function adviseConnection({ connection, baseUrl, collectors }: Finding): readonly string[] {
  if (connection === 'ok') return [];
  if (connection === 'foreign') {
    return [`What answers at ${baseUrl} is not the API: check base_url; it ends in /api at most providers.`];
  }
  if (collectors.some(({ detail }) => /certificate/i.test(detail))) {
    return [
      `The certificate at ${baseUrl} is not trusted: check base_url, and name the file of its authority as ca_file if it is one of your own.`,
    ];
  }
  return [`The API can't be reached at ${baseUrl}: check base_url, the network, and HTTPS_PROXY if you need a proxy.`];
}

function adviseCredentials({ credentials }: Finding): readonly string[] {
  if (credentials !== 'rejected') return [];
  return [
    'The credentials are refused: check login and API password (not the one of the control panel), and that access to the API is switched on.',
  ];
}

function adviseBoxes(collectors: readonly CollectorFinding[]): readonly string[] {
  const refused = collectors.filter(({ state }) => state === 'not permitted');
  const sections = new Set(refused.flatMap(({ methods }) => methods.map(sectionOf)));
  return [...sections].map((section) => {
    const names = refused.filter(({ methods }) => methods.some((method) => method.startsWith(`${section}/`)));
    const list = names.map(({ collector }) => collector).join(', ');
    return `Tick "${sectionLabel(section)}" for the API password in the control panel, or switch off ${list} in the configuration.`;
  });
}

function adviseClock({ clockSkewSeconds: skew }: Finding): readonly string[] {
  if (skew === undefined || Math.abs(skew) <= tolerableSkew) return [];
  return [
    `The API's clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine's: set this one by NTP.`,
  ];
}

function adviseCertificate({ tls }: Finding): readonly string[] {
  if (tls === undefined) return [];
  const days = Math.floor((Date.parse(tls.certificateEnds) - Date.now()) / 86_400_000);
  return days > daysOfNotice ? [] : [`The API's certificate ends in ${days} days; its owner should renew it.`];
}

function adviseBudget({ callsPerMinute, budget }: Finding): readonly string[] {
  if (callsPerMinute <= budget) return [];
  return [
    `The schedules ask for ${callsPerMinute} calls a minute, the budget is ${budget}: the fan-outs will be stretched. Poll less often, or raise requests_per_minute if the provider allows it.`,
  ];
}
