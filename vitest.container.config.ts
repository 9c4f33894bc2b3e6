import { defineConfig } from 'vitest/config';

/** Tests that need root, a Docker engine, Debian's archive and minutes: `npm run test:container`. */
export default defineConfig({
  test: {
    globalSetup: 'test/container/prepare.ts',
    include: ['test/container/**/*.spec.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
  },
});
