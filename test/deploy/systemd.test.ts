import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readText } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

// test/container/systemd.spec.ts runs the service.

const name = 'hosting-account-exporter.service';
const text = readText(`deploy/systemd/${name}`);

/** Copies the unit to a temporary folder, with the path of the current Node.js. Returns the path of the copy. */
function install(): string {
  const folder = join(temporaryFolder(), 'system');
  mkdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, text.replaceAll('/usr/bin/node ', `${process.execPath} `));
  return file;
}

it('the service has a low exposure level', () => {
  const output = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', install()], {
    encoding: 'utf8',
  });

  expect(output).toMatch(/Overall exposure level for .*: 1\.\d OK/);
});

it('the service restarts without a limit until the exporter can listen', () => {
  expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(text).toMatch(/^RestartPreventExitStatus=2$/m);
  expect(text).not.toMatch(/^SuccessExitStatus=/m);
});

it('the socket, the service and its drop-in pass systemd-analyze verify', () => {
  const service = install();
  const folder = dirname(service);
  const socket = join(folder, 'hosting-account-exporter.socket');
  writeFileSync(socket, readText('deploy/systemd/hosting-account-exporter.socket'));
  mkdirSync(`${service}.d`);
  const dropIn = readText('deploy/systemd/socket.conf').replace('/usr/bin/node ', `${process.execPath} `);
  writeFileSync(join(`${service}.d`, 'socket.conf'), dropIn);

  const verify = (file: string) =>
    execFileSync('systemd-analyze', ['verify', file], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });

  expect([verify(service), verify(socket)]).toEqual(['', '']);
});

it('the drop-in starts the program like the service, with the sockets of systemd', () => {
  const commandsIn = (unit: string) => [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, command]) => command);

  const [command] = commandsIn(text);
  expect(commandsIn(readText('deploy/systemd/socket.conf'))).toEqual(['', `${command} --web.systemd-socket`]);
});
