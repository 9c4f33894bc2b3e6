import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What `promtool check metrics` complains of in a page; empty where it accepts it. */
export async function promtoolComplaints(page: string): Promise<string> {
  const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  promtool.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  promtool.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  promtool.stdin.end(page);
  const [code] = await once(promtool, 'close');
  return code === 0 ? output : `promtool ended with code ${code}: ${output}`;
}
