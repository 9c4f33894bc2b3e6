import { parseArgs } from 'node:util';
import { writeHistory } from './open-metrics.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    accounts: { type: 'string', default: '12' },
    days: { type: 'string', default: '15' },
    step: { type: 'string', default: '900' },
    seed: { type: 'string', default: '1' },
    now: { type: 'string', default: '1793621000' },
  },
});
const [file] = positionals;
if (file === undefined) {
  throw new Error(
    'Usage: node dashboards/src/history/main.ts [--accounts 12] [--days 15] [--step 900] [--now UNIX_SECONDS] FILE',
  );
}
await writeHistory(file, {
  accounts: Number(values.accounts),
  days: Number(values.days),
  step: Number(values.step),
  seed: Number(values.seed),
  now: Number(values.now),
});
