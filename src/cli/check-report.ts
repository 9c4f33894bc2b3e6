import { type AccountFinding, type CollectorFinding, isHealthy } from '../doctor/finding.ts';

/** Findings as a page for people: a section for each account, the sum at the end. */
export function checkReport(findings: readonly AccountFinding[]): string {
  const healthy = findings.filter(isHealthy).length;
  const sum =
    healthy === findings.length
      ? `All ${findings.length === 1 ? 'is' : `${findings.length} accounts are`} well.`
      : `${findings.length - healthy} of ${findings.length} accounts need attention.`;
  return `${findings.map(accountReport).join('\n')}\n${sum}\n`;
}

function accountReport(finding: AccountFinding): string {
  const { account, baseUrl, collectors, advice } = finding;
  const rows = collectors.map(collectorRow);
  const table = alignColumns([['COLLECTOR', 'STATE', 'DETAIL'], ...rows]);
  const lines = [
    `${account}  ${baseUrl}`,
    `  ${facts(finding).join(' · ')}`,
    '',
    ...table.map((line) => `  ${line}`),
    ...advice.map((sentence) => `\n  -> ${sentence}`),
  ];
  return `${lines.join('\n')}\n`;
}

const connections = { ok: 'reachable', foreign: 'NOT THE API', failed: 'NOT REACHABLE' } as const;

function facts(finding: AccountFinding): readonly string[] {
  const { connection, tls, clockSkewSeconds, credentials, sites, databases, callsPerMinute, budget } = finding;
  return [
    connections[connection],
    tls === undefined ? undefined : `${tls.protocol}, certificate until ${tls.certificateEnds.slice(0, 10)}`,
    clockSkewSeconds === undefined ? undefined : `clock skew ${clockSkewSeconds} s`,
    credentials === 'unknown' ? undefined : `credentials ${credentials}`,
    sites === undefined ? undefined : `${sites} sites`,
    databases === undefined ? undefined : `${databases} databases`,
    `${callsPerMinute} of ${budget} calls a minute`,
  ].filter((fact) => fact !== undefined);
}

function collectorRow({ collector, state, reason, detail }: CollectorFinding): readonly string[] {
  const shown = state === 'failed' && reason !== undefined ? `failed (${reason})` : state;
  return [collector, shown, detail];
}

/** Rows with columns as wide as their widest cell; the last one runs free. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
