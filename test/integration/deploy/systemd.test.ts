import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { readText } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const name = 'hosting-account-exporter.service';
const text = readText(`deploy/systemd/${name}`);

/** The values of one key of the unit. */
function valuesOf(key: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Copies the unit to a temporary folder, with the path of the current Node.js. Returns the path of the copy. */
function install(): string {
  const folder = join(temporaryFolder(), 'system');
  mkdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, text.replaceAll('/usr/bin/node ', `${process.execPath} `));
  return file;
}

describe('systemd unit', () => {
  it('passes systemd-analyze verify', () => {
    const output = execFileSync('systemd-analyze', ['verify', install()], { encoding: 'utf8', stdio: 'pipe' });

    expect(output).toBe('');
  });

  it('has a low exposure level', () => {
    const output = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', install()], {
      encoding: 'utf8',
    });

    expect(output).toMatch(/Overall exposure level for .*: 1\.\d OK/);
  });

  it('starts the program at the path of `npm install --global --prefix`', () => {
    const bin = packageJson.bin['hosting-account-exporter'];
    const program = join('/opt/hosting-account-exporter/lib/node_modules', packageJson.name, bin);

    expect(valuesOf('ExecStart')).toEqual([
      `/usr/bin/node ${program} --config.file=/etc/hosting-account-exporter/config.yml`,
    ]);
  });

  it('checks the configuration with the flags of the service before a reload', () => {
    const reload = text
      .replaceAll('\\\n', '')
      .match(/^ExecReload=(.*)$/m)?.[1]
      ?.replaceAll(/ +/g, ' ');

    expect(reload).toContain(` ${valuesOf('ExecStart').join()} --config.check && kill -HUP $MAINPID'`);
  });

  it('does not restart after a configuration error', () => {
    expect(valuesOf('Restart')).toEqual(['on-failure']);
    expect(valuesOf('RestartPreventExitStatus')).toEqual(['2']);
  });

  it('restarts without a limit until the exporter can listen', () => {
    expect(valuesOf('SuccessExitStatus')).toEqual([]);
    expect(valuesOf('StartLimitIntervalSec')).toEqual(['0']);
  });

  it('passes passwords as credentials to a dynamic user', () => {
    expect(valuesOf('LoadCredential')).toEqual(['shop:/etc/hosting-account-exporter/shop.password']);
    expect(valuesOf('DynamicUser')).toEqual(['yes']);
    expect(text).not.toMatch(/^(SetCredential|Environment=.*PASSWORD)/m);
  });
});

describe('socket unit', () => {
  const socketName = 'hosting-account-exporter.socket';

  it('passes systemd-analyze verify together with the service and its drop-in', () => {
    const service = install();
    const folder = dirname(service);
    writeFileSync(join(folder, socketName), readText(`deploy/systemd/${socketName}`));
    mkdirSync(join(folder, `${name}.d`));
    const dropIn = readText('deploy/systemd/socket.conf').replace('/usr/bin/node ', `${process.execPath} `);
    writeFileSync(join(folder, `${name}.d`, 'socket.conf'), dropIn);

    const output = execFileSync('systemd-analyze', ['verify', join(folder, socketName)], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });

    expect(output).toBe('');
  });

  it('starts the program like the service, with the sockets of systemd', () => {
    const commands = [...readText('deploy/systemd/socket.conf').matchAll(/^ExecStart=(.*)$/gm)].map(([, one]) => one);

    expect(commands).toEqual(['', `${valuesOf('ExecStart').join()} --web.systemd-socket`]);
    expect(readText(`deploy/systemd/${socketName}`)).toContain('\nListenStream=10380\n');
  });
});
