import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { shop } from '../../sandbox/src/accounts/shop.ts';
import { until } from '../fixtures/waiting.ts';
import { type Engine, startEngine } from './engine.ts';
import { systemdImage } from './image.ts';

const unit = 'hosting-account-exporter';
const main = `/opt/${unit}/lib/node_modules/${unit}/dist/main.js`;
const configFile = `/etc/${unit}/config.yml`;

/** Settings that change the unit for one test. */
const dropIns = `/etc/systemd/system/${unit}.service.d`;

/** The configuration of docs/installation.md with an account of the sandbox. */
const config = `
api: { base_url: "http://127.0.0.1:10381/api" }
accounts: [{ name: shop, login: shop, password_file: "\${CREDENTIALS_DIRECTORY}/shop" }]
`;

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(inject('dataFolder'), 'isolated');
  await engine.docker(
    ...['run', '--detach', '--name', 'machine', '--network=host', '--cgroupns=private', '--tmpfs=/sys/fs/cgroup'],
    // The privileges that systemd needs to isolate services. --privileged requires more than some machines allow.
    ...['--cap-add=ALL', '--cap-drop=SYS_RESOURCE', '--security-opt=seccomp=unconfined'],
    ...['--security-opt=apparmor=unconfined', systemdImage],
  );
  await engine.docker('exec', '--detach', 'machine', 'node', main, 'sandbox');
  await until(async () => /^(running|degraded)$/.test((await inMachine('systemctl is-system-running || true')).trim()));
});

afterAll(async () => {
  await engine?.docker('rm', '--force', 'machine');
  await engine?.stop();
});

afterEach(async () => {
  await inMachine(`systemctl stop ${unit}; systemctl reset-failed ${unit} || true`);
  await inMachine(`rm -rf ${dropIns} && systemctl daemon-reload`);
});

/**
 * Milliseconds for the first successful poll. After a restart with fresh figures, this poll may take place a minute
 * after the start.
 */
const firstPoll = 100_000;

/**
 * Waits until the newest poll of an account succeeded, and returns the metrics page. Restored figures alone are not
 * enough.
 */
async function pageOnceUp(account: string): Promise<string> {
  const isUp = `hosting_up{account="${account}"} 1\n`;
  const ask = () => engine.pageOf('http://127.0.0.1:10380/metrics');
  try {
    return await until(`${account} is up`, async () => [await ask()].find((page) => page.includes(isUp)), firstPoll);
  } catch (cause) {
    throw new Error(await inMachine(`journalctl --unit ${unit} --output cat --no-pager`), { cause });
  }
}

function inMachine(script: string): Promise<string> {
  return engine.docker('exec', 'machine', 'sh', '-c', script);
}

/** Writes a file in the container. */
function write(path: string, text: string, mode: string): Promise<string> {
  const encoded = Buffer.from(text).toString('base64');
  return inMachine(`mkdir -p $(dirname ${path}) && echo ${encoded} | base64 -d > ${path} && chmod ${mode} ${path}`);
}

test('the unit runs the exporter as a dynamic user, with a password that only root can read', async () => {
  await engine.pageOf('http://127.0.0.1:10381/sandbox');
  await write(configFile, config, '0644');
  await write(`/etc/${unit}/shop.password`, shop.password, '0400');

  await inMachine(`systemctl start ${unit}`);
  const page = await pageOnceUp('shop');
  const state = await inMachine(`systemctl show ${unit} --property ActiveState,NRestarts`);
  const status = await inMachine(`cat /proc/$(systemctl show ${unit} --property MainPID --value)/status`);
  await inMachine(`systemctl stop ${unit}`);
  const ended = await inMachine(`systemctl show ${unit} --property ActiveState,Result,ExecMainStatus`);

  expect(page).toContain('hosting_up{account="shop"} 1\n');
  expect(page).toMatch(/^process_open_fds \d+$/m);
  expect(page).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(state.split('\n')).toEqual(expect.arrayContaining(['ActiveState=active', 'NRestarts=0']));
  expect(status).toMatch(/^Uid:\t6[1-5]\d{3}\t/m);
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^Seccomp:\t2$/m);
  expect(ended.split('\n')).toEqual(
    expect.arrayContaining(['ActiveState=inactive', 'Result=success', 'ExecMainStatus=0']),
  );
});

test('a directory of passwords becomes one credential per file', async () => {
  const folder = `/etc/${unit}/passwords`;
  await write(`${folder}/shop`, shop.password, '0400');
  await write(`${dropIns}/passwords.conf`, `[Service]\nLoadCredential=\nLoadCredential=passwords:${folder}\n`, '0644');
  await write(configFile, config.replace('}/shop"', '}/passwords_shop"'), '0644');

  await inMachine(`systemctl daemon-reload && systemctl start ${unit}`);
  const page = await pageOnceUp('shop');

  expect(page).toContain('hosting_up{account="shop"} 1\n');
});

test('a reload with an invalid configuration fails, and the unit keeps running', async () => {
  const reload = `systemctl reload ${unit} 2>&1; echo "exit code $?"`;
  const state = `systemctl show ${unit} --property ActiveState,MainPID,NRestarts`;
  await write(configFile, config, '0644');
  await inMachine(`systemctl start ${unit}`);
  await pageOnceUp('shop');
  const before = await inMachine(state);

  await write(configFile, `${config}colectors: {}\n`, '0644');
  const refused = await inMachine(reload);
  const afterRefusal = await inMachine(state);
  const log = await inMachine(`journalctl --unit ${unit} --output cat --no-pager`);
  await write(configFile, config.replace('name: shop', 'name: renamed'), '0644');
  const accepted = await inMachine(reload);
  const page = await pageOnceUp('renamed');
  const afterReload = await inMachine(state);

  expect(before).toContain('ActiveState=active');
  expect(refused).toMatch(/exit code [1-9]/);
  expect(log).toContain('has an unknown key; did you mean "collectors"?');
  // The journal removes the priority at the start of each line, and selects lines by it.
  expect(log).toMatch(/^time=\S+ level=info msg=started/m);
  expect(await inMachine(`journalctl --unit ${unit} --priority notice --no-pager`)).not.toContain('msg=started');
  expect(accepted).toBe('exit code 0\n');
  expect([afterRefusal, afterReload]).toEqual([before, before]);
  expect(page).toContain('hosting_exporter_config_last_reload_successful 1\n');
});

test('the unit reports an invalid configuration and does not restart', async () => {
  await write(configFile, `${config}colectors: {}\n`, '0644');

  await inMachine(`systemctl start ${unit} || true`);
  await until(async () => (await inMachine(`systemctl show ${unit} --property ActiveState`)).includes('failed'));
  const state = await inMachine(`systemctl show ${unit} --property NRestarts,ExecMainStatus`);
  const log = await inMachine(`journalctl --unit ${unit} --output cat --no-pager`);

  expect(state.split('\n')).toEqual(expect.arrayContaining(['NRestarts=0', 'ExecMainStatus=2']));
  expect(log).toContain('has an unknown key; did you mean "collectors"?');
});
