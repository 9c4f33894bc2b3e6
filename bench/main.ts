import { loadavg } from 'node:os';
import { measureFleet, measureOneAccount } from './program.ts';
import { measureLargeScrapes, measureLists, measureUsualScrapes, type Row } from './scrapes.ts';
import { table } from './table.ts';

// Measures the program against the goals of docs/project/performance.md. Always exits with 0, because the goals are for an idle machine.
// Arguments: the parts to measure; without arguments, all parts.

const method = `Servers are processes of their own on loopback, with accounts of the sandbox, and are scraped alternately over kept connections. CPU is
the time of all threads of a server for one scrape: the median of 200, or of 7 with 1000 accounts. A ratio divides it by the CPU of a
static file of the same bytes plus prom-client's metrics of its own process, or divides the CPU of prom-client with the same series by it.
gzip has level 3, and level 2 in the exporter. A block is the CPU of one iteration of the event loop. Memory is resident memory of the
built program, after the first polls and ten scrapes.`;

const parts: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  usual: measureUsualScrapes,
  large: measureLargeScrapes,
  lists: measureLists,
  account: measureOneAccount,
  fleet: measureFleet,
};
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !(name in parts));
if (unknown !== undefined) throw new Error(`${unknown} is not one of ${Object.keys(parts).join(', ')}`);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await measure()));
}
const date = new Date().toISOString().slice(0, 10);
const machine = `Node.js ${process.version}, ${date}, load of the machine ${loadavg()[1]?.toFixed(1)}`;
process.stdout.write(`${method}\n\n${table(['', 'measured', 'goal', 'details'], rows)}\n${machine}\n`);
