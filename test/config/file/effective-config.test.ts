import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatEffectiveConfig } from '../../../src/config/file/effective-config.ts';
import { loadConfig } from '../../../src/config/file/load.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = join(import.meta.dirname, 'fixtures');
const environment = {
  PASSWORD: 'hunter2',
  HOST: 'api.example.com',
  NAME: 'shop',
  NUMBER: '12345',
  YAML: '{a: [b, &c *c # "]}',
  EMPTY: '',
};

function written(text: string): string {
  const file = join(temporaryFolder(), 'config.yml');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

it('shows every setting with its default, and no secret', async () => {
  const file = written(`
api: { base_url: https://api.example.com/api/, time_zone: Europe/Moscow }
accounts:
  - { name: shop, login: u1, password: "\${PASSWORD}", alerts: { HostingDiskAlmostFull: off } }
  - { name: blog, token: sesame, collectors: { sites: { schedule: "7 * * * *", max_age: 12h } } }
`);
  const { config } = await loadConfig(file, environment);

  const page = await formatEffectiveConfig(config);

  expect(page.split('  - name: blog')[0]).toContain(`web:
  listen_address: :10380
  telemetry_path: /metrics
accounts:
`);
  expect(page).toContain(`- name: shop
  login: u1
  password: <secret>
  api:
    base_url: https://api.example.com/api
    timeout: 30s
    requests_per_minute: 30
    max_items: 10000
    settling_time: 10m
    size_units: decimal
    number_format: auto
    time_zone: Europe/Moscow
    input_format: auto
  collectors:
    account:
      enabled: true
      every: `);
  expect(page).toContain('  token: <secret>\n');
  expect(page).toContain(`    sites:
      enabled: true
      schedule: 7 * * * *
      max_age: 12h
      max_series: 10000
`);
  expect(page).toContain('  alerts:\n    HostingDiskAlmostFull:\n      critical: off\n      warning: off\n');
  expect(page).not.toMatch(/hunter2|sesame/);
});

it('shows several addresses, the state directory, and that there is no account', async () => {
  const web = { listenAddresses: [':10380', '[::1]:9'], telemetryPath: '/metrics' };

  expect(await formatEffectiveConfig({ accounts: [], web, stateDirectory: '/var/lib/x' })).toBe(`web:
  listen_address:
    - :10380
    - "[::1]:9"
  telemetry_path: /metrics
state:
  directory: /var/lib/x
accounts: []
`);
});

it.each(readdirSync(folder).filter((name) => name.endsWith('.good.yml')))(
  'is itself a configuration with the same meaning as %s',
  async (name) => {
    const { config } = await loadConfig(join(folder, name), environment);

    const page = await formatEffectiveConfig(config);
    const again = await loadConfig(written(page), {});

    expect(withoutSecrets(again.config)).toEqual(withoutSecrets(config));
  },
);

function withoutSecrets(config: object): unknown {
  return JSON.parse(JSON.stringify(config));
}
