import { defineConfig } from 'vitest/config';

/** Slow tests that need root, a Docker engine and Debian's archive: `npm run test:container`. */
export default defineConfig({
  test: {
    globalSetup: 'test/container/prepare.ts',
    include: ['test/container/**/*.spec.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
  },
});
