import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { validateNodeVersion } from '../../src/cli/node-version.ts';

test.each(['v22.19.0', 'v22.20.1', 'v23.0.0', 'v24.21.0', 'v100.0.0', 'v24.0.0-nightly20250101abc', process.version])(
  'accepts Node.js %s',
  (version) => {
    expect(validateNodeVersion(version)).toBeUndefined();
  },
);

test.each(['v0.10.48', 'v4.9.1', 'v18.20.8', 'v20.20.2', 'v22.9.0', 'v22.18.0', 'v22.18.99-rc.1'])(
  'refuses Node.js %s',
  (version) => {
    expect(validateNodeVersion(version)).toBe(
      `hosting-account-exporter needs Node.js 22.19 or newer; this is ${version}`,
    );
  },
);

test('requires the version that package.json requires', () => {
  expect(packageJson.engines.node).toBe('^22.19 || >=24');
  expect(validateNodeVersion('v22.18.0')).toContain('needs Node.js 22.19 or newer');
});
