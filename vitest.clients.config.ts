import { defineConfig } from 'vitest/config';

/** Clients of others against the sandbox, which need Python and Go: `npm run test:clients`. */
export default defineConfig({
  test: {
    globalSetup: 'test/clients/install.ts',
    include: ['test/clients/**/*.spec.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
