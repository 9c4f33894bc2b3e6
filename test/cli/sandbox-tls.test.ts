import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { accountConfig } from '../fixtures/config.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

async function startWithTls() {
  const sandbox = await openSandbox({ tls: true });
  const caFile = join(temporaryFolder(), 'sandbox.pem');
  writeFileSync(caFile, sandbox.certificate ?? '');
  return { sandbox, caFile };
}

it('a sandbox with a throwaway certificate is trusted by a client with it, by address and by name', async () => {
  const { sandbox, caFile } = await startWithTls();
  const addresses = [sandbox.baseUrl, sandbox.baseUrl.replace('127.0.0.1', 'localhost')];

  const lists = addresses.map((baseUrl) => clientUnderTest(accountConfig({ api: { baseUrl, caFile } })).databases());

  expect(sandbox.baseUrl).toMatch(/^https:/);
  for (const list of await Promise.all(lists)) expect(list).toHaveLength(3);
});

it('writes its certificate to the file of the flag, and prints how to use it', async () => {
  const tlsCertFile = join(temporaryFolder(), 'new.pem');
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });

  const ended = run(['sandbox', '--dialect=provider', '--port=0', `--tls-cert-file=${tlsCertFile}`], context);
  await until('the sandbox to print how to use it', () => context.printed.stdout.includes('Try it:'));
  stop.abort();

  expect(await ended).toBe(0);
  expect(readFileSync(tlsCertFile, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
  expect(context.printed.stdout).toContain(`https://127.0.0.1:`);
  expect(context.printed.stdout).toContain(`curl --cacert ${tlsCertFile} `);
});
