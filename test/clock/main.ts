// Runs the tests with a shifted clock that passes a boundary during the run: node test/clock/main.ts [PATH...]. Most
// files take less than a second, so every file starts shortly before the boundary, once for each lead.
import { spawnSync } from 'node:child_process';

const crossings = [
  { name: 'a full hour', time: '2026-12-10T15:00:00Z', zone: 'UTC' },
  { name: 'midnight', time: '2026-12-11T00:00:00Z', zone: 'UTC' },
  { name: 'the end of a month and a year', time: '2027-01-01T00:00:00Z', zone: 'UTC' },
  { name: 'the start of daylight saving time', time: '2027-03-28T01:00:00Z', zone: 'Europe/Berlin' },
  { name: 'the end of daylight saving time', time: '2027-10-31T01:00:00Z', zone: 'Europe/Berlin' },
];

/** Seconds from the start of a file to the boundary. */
const leads = (process.env['CLOCK_LEADS'] ?? '2,30').split(',').map(Number);

const failed = crossings.flatMap(({ name, time, zone }) =>
  leads.flatMap((lead) => {
    const title = `${name} (${time}, ${zone}), ${lead} s after the start of each file`;
    process.stdout.write(`\n=== ${title}\n`);
    const argv = ['run', '--project=clock', ...process.argv.slice(2)];
    const { status } = spawnSync('vitest', argv, {
      stdio: 'inherit',
      env: { ...process.env, CLOCK_CROSSING: time, CLOCK_LEAD: String(lead * 1000), TZ: zone },
    });
    return status === 0 ? [] : [title];
  }),
);

const summary = failed.length === 0 ? 'All tests pass at every boundary.' : `Failed at:\n${failed.join('\n')}`;
process.stdout.write(`\n${summary}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
