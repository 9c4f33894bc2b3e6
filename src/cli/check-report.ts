import { type AccountResult, type CollectorResult, isHealthy } from '../check/result.ts';

export function checkReport(results: readonly AccountResult[]): string {
  const unhealthy = results.filter((result) => !isHealthy(result)).length;
  const conclusion =
    unhealthy === 0 ? 'All collectors work.' : `${unhealthy} of ${results.length} accounts need attention.`;
  return `${results.map(accountReport).join('\n')}\n${conclusion}\n`;
}

function accountReport(result: AccountResult): string {
  const { account, baseUrl, collectors, advice } = result;
  const table = alignColumns([['COLLECTOR', 'STATE', 'DETAIL'], ...collectors.map(collectorRow)]);
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
    sites === undefined ? undefined : `${sites} sites`,
    databases === undefined ? undefined : `${databases} databases`,
    `${callsPerMinute} of ${budget} calls per minute`,
  ].filter((fact) => fact !== undefined);
}

function collectorRow({ collector, state, reason, detail }: CollectorResult): readonly string[] {
  const shown = state === 'failed' && reason !== undefined ? `failed (${reason})` : state;
  return [collector, shown, detail];
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
