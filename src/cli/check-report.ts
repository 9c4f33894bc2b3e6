import type { Recorder } from '../check/recorder.ts';
import { type AccountResult, isHealthy } from '../check/result.ts';
import { countOf } from '../config/values/count-of.ts';

export function checkReport(results: readonly AccountResult[]): string {
  const unhealthy = results.filter((result) => !isHealthy(result)).length;
  const which = results.length === 1 ? '1 account needs' : `${unhealthy} of ${results.length} accounts need`;
  const conclusion = unhealthy === 0 ? 'All collectors work.' : `${which} attention.`;
  return `${results.map(accountReport).join('\n')}\n${conclusion}\n`;
}

function accountReport(result: AccountResult): string {
  const { account, baseUrl, collectors, advice } = result;
  const rows = collectors.map(({ collector, state, reason, detail }) => {
    return [collector, state === 'failed' && reason !== undefined ? `failed (${reason})` : state, detail];
  });
  const table = alignColumns([['COLLECTOR', 'STATE', 'DETAIL'], ...rows]);
  const heading = `${account}  ${baseUrl}\n  ${facts(result).join(' · ')}\n`;
  const lines = [heading, ...table.map((line) => `  ${line}`), ...advice.map((sentence) => `\n  -> ${sentence}`)];
  return `${lines.join('\n')}\n`;
}

const connections = {
  ok: 'reachable',
  foreign: 'NOT THE API',
  failing: 'RESPONDS WITH ERRORS',
  failed: 'NOT REACHABLE',
} as const;

function facts(result: AccountResult): readonly string[] {
  const { connection, tls, clockSkewSeconds, credentials, sites, databases, callsPerMinute, budget } = result;
  return [
    connections[connection],
    tls === undefined ? undefined : `${tls.protocol}, certificate valid until ${tls.certificateEnds.slice(0, 10)}`,
    clockSkewSeconds === undefined ? undefined : `clock skew ${clockSkewSeconds} s`,
    credentials === 'unknown' ? undefined : `credentials ${credentials}`,
    sites === undefined ? undefined : countOf(sites, 'site'),
    databases === undefined ? undefined : countOf(databases, 'database'),
    `${callsPerMinute} of ${budget} calls per minute`,
  ].filter((fact) => fact !== undefined);
}

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Maximum number of unknown fields in the report. A map can have many unknown fields, such as one for each domain. */
const maxNamedFields = 20;

/** Describes the content of a recording, and how to inspect the recording. */
export function recordingReport({ folder, answers, substitutes, withSecret, unknownFields }: Recorder): string {
  const kinds = [...substitutes.counts].map(([kind, count]) => `  ${String(count).padStart(6)}  ${kind}\n`);
  const leftOut = `${countOf(withSecret, 'answer')} contained the password or token. Only the length of such answers is saved.\n`;
  const named = [...unknownFields].slice(0, maxNamedFields).join(', ');
  const fields = `The documentation does not name ${countOf(unknownFields.size, 'field')}: ${named}\n`;
  return `
Recorded ${countOf(answers, 'answer')} in ${folder}. These different values are replaced:
${kinds.join('')}Numbers, dates and documented words are kept.
${withSecret === 0 ? '' : leftOut}${unknownFields.size === 0 ? '' : fields}
Before you send the folder, look through the files and search them for your names:
  less ${folder}/*/*
  grep -ri example.com ${folder}
docs/recordings.md describes how to send the folder, and how a developer replays the recording.
`;
}
