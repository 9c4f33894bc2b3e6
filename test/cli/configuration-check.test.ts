import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { writeSettings } from '../fixtures/program.ts';

/** Checks a configuration with two accounts, without an API. */
async function checked(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const file = writeSettings(cleanups, {
    api: { base_url: 'http://127.0.0.1:9/api' },
    accounts: ['shop', 'blog'].map((name) => ({ name, login: name, password: 'secret' })),
  });
  const context = recordedContext({ environment });
  const code = await run(['--config.check', `--config.file=${file}`, ...flags], context);
  return { code, ...context.printed };
}

it('prints the configuration with the values of the flags, all defaults and no secret', async () => {
  const { code, stdout, stderr } = await checked(['--web.listen-address=:1', '--web.telemetry-path=/m']);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^web:\n {2}listen_address: :1\n {2}telemetry_path: \/m\naccounts:\n- name: shop\n(?:.*\n)*The configuration is valid: 2 accounts, 0 warnings\.\n$/,
  );
  expect(stdout).toContain('requests_per_minute: 30');
  expect(stdout).not.toContain('secret\n');
});

it('prints only the accounts of the shard', async () => {
  const { stdout } = await checked(['--shard=2/3']);

  expect(stdout).toContain('the flags select 1 of 2 accounts, 0 warnings');
  expect(stdout.match(/^- name: \w+/gm)).toEqual(['- name: shop']);
});

it('warns of addresses that are ignored, because systemd passes sockets', async () => {
  const { stdout } = await checked(['--web.listen-address=:1', '--web.systemd-socket']);

  expect(stdout).toMatch(/\nwarning: --web\.listen-address is ignored, because --web\.systemd-socket is given\n$/);
});
