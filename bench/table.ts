/** Formats a Markdown table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (column === 0 ? cells[column]?.padEnd(width) : cells[column]?.padStart(width))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return `${[line(head), line(rule), ...rows.map(line)].join('\n')}\n`;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest-rank percentile. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
}

export function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
}

export function bytes(value: number): string {
  return value < 1e6 ? `${(value / 1e3).toFixed(0)} kB` : `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)} MB`;
}
