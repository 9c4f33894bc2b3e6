import { globSync, readFileSync } from 'node:fs';

/**
 * Prints the size of `src`, of the sandbox and of the dashboards, and exits with 1 if a limit is exceeded. A limit is lowered when its room
 * shrinks. Lines are all lines of the TypeScript files, including comments and empty lines.
 */
const limits: Readonly<Record<string, number>> = {
  api: 1028,
  cli: 2677,
  collectors: 1051,
  config: 1951,
  dashboards: 3886,
  pages: 3807,
  payloads: 626,
  polling: 1274,
  rules: 582,
  sandbox: 4793,
  state: 300,
  store: 864,
  web: 1247,
  'files directly in src': 310,
};

/** Rooms that the total omits. */
const apart = ['rules', 'sandbox', 'dashboards'];
const longest = 350;
const timer = /(?<!\.)\bset(?:Timeout|Interval)\(|AbortSignal\.timeout\(|new Cron\('|setTimeout as /g;

const files = globSync(['src/**/*.ts', 'sandbox/src/**/*.ts', 'dashboards/src/**/*.ts']).map((path) => {
  const text = readFileSync(path, 'utf8');
  const [top = '', folder = ''] = path.split('/');
  const room = top === 'src' ? folder : top;
  const timers = apart.includes(room) ? 0 : (text.match(timer)?.length ?? 0);
  return {
    path,
    room: path.split('/').length > 2 ? room : 'files directly in src',
    lines: text.split('\n').length - 1,
    timers,
  };
});
const linesOf = (list: typeof files) => list.reduce((sum, { lines }) => sum + lines, 0);
const rooms = [...Map.groupBy(files, ({ room }) => room)].map(
  ([room, list]) => [room, linesOf(list), limits[room] ?? 0] as const,
);
const single = files.filter(({ room }) => room === 'files directly in src');
const rows: (readonly [string, number, number])[] = [
  ...rooms.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  [`all without ${apart.join(' and ')}`, linesOf(files.filter(({ room }) => !apart.includes(room))), 15_135],
  [
    `files above ${longest} lines`,
    files.filter(({ lines, room }) => lines > longest && !apart.includes(room)).length,
    0,
  ],
  ['folders of src', rooms.length - 3, 11],
  ['files directly in src', single.length, 4],
  ['places that start a timer', files.reduce((sum, { timers }) => sum + timers, 0), 8],
];
for (const [name, measured, limit] of rows) {
  const mark = measured > limit ? '  exceeded' : '';
  process.stdout.write(`${name.padEnd(36)}${String(measured).padStart(7)} of ${limit}${mark}\n`);
  if (measured > limit) process.exitCode = 1;
}
