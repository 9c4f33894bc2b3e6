import { defineConfig } from 'vitest/config';

/** The folder in src that `npm run mutation` mutates; `.` for the files directly in src. */
const folder = process.env['MUTATION_FOLDER'] ?? '';

const unitTests = folder === '.' ? 'test/unit/*.test.ts' : `test/unit/${folder}/**/*.test.ts`;

/** Other tests that count for a folder, because they are as fast as its unit tests: below `test`. */
const otherTests: Readonly<Record<string, readonly string[]>> = {
  '.': ['integration/app.test.ts'],
  api: [
    'integration/api/{network,reasons,request,secrets,tls-probe}.test.ts',
    'integration/polling/offered-methods.test.ts',
  ],
  cli: [
    'unit/{check,history}/*.test.ts',
    'integration/check/check.test.ts',
    'integration/cli/{check,commands,demo,healthy,once,report}.test.ts',
  ],
  collectors: ['integration/collectors.test.ts'],
  config: ['unit/reload/*.test.ts', 'unit/docs/configuration.test.ts', 'integration/app.test.ts'],
  'pages/view': ['unit/pages/{pages,report}.test.ts'],
  polling: [
    'integration/polling/*.test.ts',
    'integration/state/{reload,restart,session}.test.ts',
    'integration/check/check.test.ts',
    'integration/app.test.ts',
  ],
  rules: ['unit/docs/alert-settings.test.ts', 'unit/cli/rules.test.ts'],
  sandbox: ['../sandbox/test/*.test.ts'],
  state: ['integration/state/folder-lock.test.ts'],
  web: [
    'integration/web/{hostile-clients,lifecycle,pages,report,route-prefix}.test.ts',
    'integration/app.test.ts',
    'integration/security/{access,other-sites}.test.ts',
  ],
  'web/config': ['integration/security/{reload,tls}.test.ts', 'integration/web/config/watched-web-config.test.ts'],
  'web/door': [
    'integration/security/{access,other-sites,tls}.test.ts',
    'integration/web/{door/stop,route-prefix}.test.ts',
    'unit/cli/hash-password.test.ts',
  ],
};

export default defineConfig({
  test: {
    include: [unitTests, ...(otherTests[folder] ?? []).map((tests) => `test/${tests}`)],
    setupFiles: 'test/fixtures/fewer-runs.ts',
    testTimeout: 600_000,
  },
});
