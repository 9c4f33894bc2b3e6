import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { readText } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const name = 'hosting-account-exporter.service';
const text = readText(`deploy/systemd/${name}`);

/** The values of a key of the unit. */
function valuesOf(key: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** The unit in a folder of its own, with the Node.js of this machine. */
function install(): string {
  const folder = join(temporaryFolder(), 'system');
  mkdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, text.replace('/usr/bin/node ', `${process.execPath} `));
  return file;
}

describe('the unit', () => {
  it('has no mistake that systemd sees', () => {
    const said = execFileSync('systemd-analyze', ['verify', install()], { encoding: 'utf8', stdio: 'pipe' });

    expect(said).toBe('');
  });

  it('exposes next to nothing', () => {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', install()], {
      encoding: 'utf8',
    });

    expect(said).toMatch(/Overall exposure level for .*: 1\.\d OK/);
  });

  it('starts what `npm install --global --prefix` installs', () => {
    const bin = packageJson.bin['hosting-account-exporter'];
    const program = join('/opt/hosting-account-exporter/lib/node_modules', packageJson.name, bin);

    expect(valuesOf('ExecStart')).toEqual([
      `/usr/bin/node ${program} --config.file=/etc/hosting-account-exporter/config.yml`,
    ]);
  });

  it('does not try again where a person has to mend the configuration', () => {
    expect(valuesOf('Restart')).toEqual(['on-failure']);
    expect(valuesOf('RestartPreventExitStatus')).toEqual(['2']);
  });

  it('hands out passwords as credentials, to a user that is nobody else', () => {
    expect(valuesOf('LoadCredential')).toEqual(['shop:/etc/hosting-account-exporter/shop.password']);
    expect(valuesOf('DynamicUser')).toEqual(['yes']);
    expect(text).not.toMatch(/^(SetCredential|Environment=.*PASSWORD)/m);
  });
});
