import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type HistoryOptions, history } from './series.ts';

/** The history as OpenMetrics text with timestamps, as input for `promtool tsdb create-blocks-from openmetrics`. */
export function* openMetrics(options: HistoryOptions): Generator<string> {
  const first = options.now - options.days * 24 * 3600;
  for (const { name, labels, value } of history(options)) {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    const head = `${name}{${pairs.join(',')}} `;
    const lines: string[] = [];
    for (let time = first; time <= options.now; time += options.step) {
      const sample = value(time);
      if (sample !== undefined) {
        lines.push(`${head}${sample} ${time}`);
      }
    }
    if (lines.length > 0) {
      yield `${lines.join('\n')}\n`;
    }
  }
  yield '# EOF\n';
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Writes the history to a file. */
export async function writeHistory(file: string, options: HistoryOptions): Promise<void> {
  const stream = createWriteStream(file);
  for (const piece of openMetrics(options)) {
    if (!stream.write(piece)) {
      await once(stream, 'drain');
    }
  }
  stream.end();
  await finished(stream);
}
