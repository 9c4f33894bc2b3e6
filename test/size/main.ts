import { parseArgs } from 'node:util';
import { table } from '../../bench/table.ts';
import { measureSize } from './numbers.ts';
import type { RecordedFunction } from './recorder.ts';

// Measures the size of src, and lists what exceeds a limit. Exits with code 1 if a limit is exceeded. `--functions` also
// lists the functions that run. docs/testing.md defines the numbers.

const { values } = parseArgs({ options: { functions: { type: 'boolean', default: false } } });
const { numbers, way } = await measureSize();
const exceeded = numbers.filter(({ limit, measured }) => measured > limit);
print(
  table(
    ['Number', 'Limit', 'Measured', ''],
    numbers.map((number) => {
      const { name, limit, measured } = number;
      return [name, String(limit), String(measured), exceeded.includes(number) ? 'exceeded' : 'ok'];
    }),
  ),
);
for (const { name, list } of exceeded) if (list !== undefined) printList(name, list);
if (values.functions) {
  printFunctions(
    'Functions of a poll; an asterisk marks those that carry the figure from the reply to the store',
    way.poll,
  );
  printFunctions(
    'Functions of a scrape; an asterisk marks those that carry the figure from the store to the socket',
    way.scrape,
  );
}
if (exceeded.length > 0) process.exitCode = 1;

function printFunctions(title: string, functions: readonly RecordedFunction[]): void {
  const lines = functions.map(({ file, line, name, carries }) => `${carries ? '*' : ' '} ${file}:${line} ${name}`);
  printList(title, lines);
}

function printList(title: string, lines: readonly string[]): void {
  print([`\n${title}:`, ...lines.map((line) => `  ${line}`), ''].join('\n'));
}

function print(text: string): void {
  process.stdout.write(text);
}
