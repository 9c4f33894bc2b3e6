import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

it('shows progress on a terminal, and clears the line at the end', async () => {
  const sandbox = await startSandbox({ speed: 0, requestsPerMinute: 0 });
  onTestFinished(() => sandbox.close());
  const configFile = join(temporaryFolder(), 'config.yml');
  const { login, password } = sandbox.account('blog');
  // JSON is YAML.
  const settings = {
    api: { base_url: sandbox.baseUrl, requests_per_minute: 60_000 },
    accounts: [{ name: login, login, password }],
  };
  writeFileSync(configFile, JSON.stringify(settings), { mode: 0o600 });
  const shown: string[] = [];

  const code = await run(
    ['check', `--config.file=${configFile}`],
    recordedContext({ stderr: { isTTY: true, write: (text) => shown.push(text) } }),
  );

  const [begin = '', ...lines] = shown;
  const [, total = 'none'] = /^Checking (\d+) collectors/.exec(begin) ?? [];
  const bars = lines.slice(0, -1);
  expect(code).toBe(0);
  expect(bars.map((line) => /^\r\[[#.]{24}\] (\d+)\//.exec(line)?.[1])).toEqual(
    Array.from({ length: Number(total) }, (_, index) => String(index + 1)),
  );
  expect(bars.at(-1)).toContain(`[${'#'.repeat(24)}] ${total}/${total} blog `);
  expect(lines.at(-1)).toMatch(/^\r +\r$/);
});
