import { defineConfig } from 'vitest/config';

/** The folder in src that `npm run mutation` mutates. */
const folder = process.env['MUTATION_FOLDER'] ?? '';

/** Integration tests that count as well, because they are as fast as unit tests: by folder, below test/integration. */
const integrationTests: Readonly<Record<string, readonly string[]>> = {
  collectors: ['collectors.test.ts'],
  login: ['security/access.test.ts'],
  listeners: ['security/tls.test.ts'],
  polling: ['polling/*.test.ts'],
  web: ['web/lifecycle.test.ts', 'web/hostile-clients.test.ts', 'security/access.test.ts'],
  'web-config': ['security/reload.test.ts', 'security/tls.test.ts'],
};

export default defineConfig({
  test: {
    include: [
      `test/unit/${folder}/**/*.test.ts`,
      ...(integrationTests[folder] ?? []).map((tests) => `test/integration/${tests}`),
    ],
    setupFiles: 'test/fixtures/fewer-runs.ts',
    testTimeout: 600_000,
  },
});
