import { reasonAdvice } from '../../api/error.ts';
import { sectionLabels, sectionOf } from '../../api/method.ts';
import { countOf } from '../../config/values/wording.ts';
import type { CollectorResult, Findings } from './check.ts';

/** Clock skew in seconds above which the check gives advice, because dates can then fall into another hour or day. */
const maxClockSkew = 60;

export type ResultOfCheck = Omit<CollectorResult, 'advice'>;

/** Returns what to do about a collector that does not work; undefined if the collector works. */
export function adviseCollector({ state, reason, methods, forbiddenMethod, httpStatus = 0 }: ResultOfCheck) {
  if (state === 'ok') return undefined;
  if (reason === undefined) return 'Correct the failures of the other collectors first, then check again.';
  if (reason === 'http' && httpStatus >= 500) {
    return `The provider's server fails with HTTP status ${httpStatus}. Wait, then check again. If the error remains, ask the provider.`;
  }
  if (reason === 'http' && httpStatus === 403) {
    return 'The server refuses this machine with HTTP status 403. The cause may be the IP address or a proxy. Ask the provider to allow the address.';
  }
  if (reason !== 'permission') return reasonAdvice[reason];
  if (forbiddenMethod !== undefined) return `${reasonAdvice[reason]} The method is ${forbiddenMethod}.`;
  const sections = [...new Set(methods.map((method) => `"${sectionLabels[sectionOf(method)]}"`))];
  return `${reasonAdvice[reason]} The section is ${sections.join(' or ')}.`;
}

export function advise(result: Findings): readonly string[] {
  const failures = [...advisePermissions(result.collectors), ...adviseFailures(result.collectors)];
  const others = [adviseClock(result), adviseTimeZone(result), adviseBudget(result)];
  return [adviseConnection(result), ...failures, ...others].filter((sentence) => sentence !== undefined);
}

function adviseConnection({ connection, baseUrl, collectors }: Findings): string | undefined {
  if (connection === 'foreign') {
    return `The server at ${baseUrl} is not the API. Check base_url, which usually ends in /api.`;
  }
  if (connection !== 'failed') return undefined;
  if (collectors.some(({ reason, detail }) => reason === 'network' && /\b(?:TLS|SSL)\b/.test(detail))) {
    return `The TLS connection to ${baseUrl} fails. Check the scheme and the port of base_url.`;
  }
  return collectors.some(({ detail }) => /certificate/i.test(detail))
    ? `The certificate of ${baseUrl} is not trusted. Check base_url. For a private certificate authority, set ca_file.`
    : undefined;
}

/** Returns one sentence for each section or method without permission, because owners permit sections or methods, not collectors. */
function advisePermissions(collectors: readonly CollectorResult[]): readonly string[] {
  const denied = collectors.filter(({ state }) => state === 'not permitted');
  const ofSections = denied.filter(({ forbiddenMethod }) => forbiddenMethod === undefined);
  const byMethod = Map.groupBy(denied, ({ forbiddenMethod }) => forbiddenMethod);
  byMethod.delete(undefined);
  return [
    ...[...byMethod].map(([method, same]) => `Permit ${method} ${forPassword} ${listOf(same)} in the configuration.`),
    ...[...new Set(ofSections.flatMap(({ methods }) => methods.map(sectionOf)))].map((section) => {
      const same = ofSections.filter(({ methods }) => methods.some((method) => sectionOf(method) === section));
      return `Tick "${sectionLabels[section]}" ${forPassword} ${listOf(same)} in the configuration.`;
    }),
  ];
}

const forPassword = 'for the API password in the control panel, or disable';

function listOf(collectors: readonly CollectorResult[]): string {
  return collectors.map(({ collector }) => collector).join(', ');
}

function adviseFailures(collectors: readonly CollectorResult[]): readonly string[] {
  const failed = collectors.filter(({ state, advice }) => state !== 'not permitted' && advice !== undefined);
  return [...Map.groupBy(failed, ({ advice }) => advice)].map(([advice, same]) => `${listOf(same)}: ${advice}`);
}

function adviseClock({ clockSkewSeconds: skew }: Findings): string | undefined {
  if (skew === undefined || Math.abs(skew) <= maxClockSkew) return undefined;
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return `The API's clock is ${Math.abs(skew)} s ${direction} the clock of this machine: synchronize it with NTP.`;
}

function adviseTimeZone({ timeZoneDoubt: doubt }: Findings): string | undefined {
  if (doubt === undefined) return undefined;
  const { hours, likely } = doubt;
  const difference = `${countOf(Math.abs(hours), 'hour')} ${hours > 0 ? 'ahead of' : 'behind'} the API's clock`;
  const zone = likely === undefined ? '' : ` A zone that fits is ${likely}.`;
  return `The newest load is dated ${difference}: check time_zone.${zone}`;
}

function adviseBudget({ callsPerMinute, budget }: Findings): string | undefined {
  return callsPerMinute > budget
    ? `The schedules require ${callsPerMinute} calls per minute, but the budget is ${budget}, so the exporter will stretch the intervals of fan-out collectors. Poll less often, or raise requests_per_minute if the provider allows it.`
    : undefined;
}
