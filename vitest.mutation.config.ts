import { defineConfig } from 'vitest/config';

/** The folder in src that `npm run mutation` mutates; `.` for the files directly in src. */
const folder = process.env['MUTATION_FOLDER'] ?? '';

const ownTests = folder === '.' ? '*.test.ts' : `${folder}/**/*.test.ts`;

/** Tests of other rooms that count for a folder, because they run its code: below `test`. */
const otherTests: Readonly<Record<string, readonly string[]>> = {
  api: ['polling/offered-methods.test.ts'],
  config: ['docs/configuration.test.ts', 'app.test.ts'],
  'pages/view': ['pages/{pages,report}.test.ts'],
  polling: ['state/{reload,restart,session}.test.ts', 'cli/check/check.test.ts', 'app.test.ts'],
  rules: ['docs/alerts.test.ts', 'cli/rules.test.ts'],
  sandbox: ['../sandbox/test/*.test.ts'],
  web: ['app.test.ts'],
  'web/config': ['web/security/{reload,tls}.test.ts'],
  'web/door': [
    'web/security/{access,other-sites,tls}.test.ts',
    'web/route-prefix.test.ts',
    'cli/hash-password.test.ts',
  ],
};

/** Tests that take too long for thousands of mutations: below `test`. */
const slowTests = [
  'api/large-answers.test.ts',
  'cli/{init,loaded-modules,sandbox-tls}.test.ts',
  'cli/history/imported.test.ts',
  'rules/{account-labels,alertmanager,promtool,receivers}.test.ts',
  'state/{killed,sequences,start-order}.test.ts',
  'web/{chromium,page-figures}.test.ts',
  'web/security/attacks.test.ts',
];

export default defineConfig({
  test: {
    include: [ownTests, ...(otherTests[folder] ?? [])].map((tests) => `test/${tests}`),
    exclude: slowTests.map((tests) => `test/${tests}`),
    setupFiles: 'test/fixtures/fewer-runs.ts',
    testTimeout: 600_000,
  },
});
