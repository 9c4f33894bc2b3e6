import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  writeFileSync(file, text.replace('/usr/bin/node ', `${process.execPath} `));
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
