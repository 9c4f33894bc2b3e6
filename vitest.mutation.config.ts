import { defineConfig } from 'vitest/config';

/** The folder in src that `npm run mutation` mutates. */
const folder = process.env['MUTATION_FOLDER'] ?? '';

export default defineConfig({
  test: {
    include: [`test/unit/${folder}/**/*.test.ts`],
    testTimeout: 600_000,
  },
});
