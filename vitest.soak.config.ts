import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Tests of properties, of which `npm test` tries a fifth of the cases. */
const properties = globSync(['test/{unit,integration}/**/*.test.ts', 'sandbox/test/*.test.ts']).filter((file) =>
  readFileSync(file, 'utf8').includes('propertyRuns('),
);

/** Load for minutes on the built program, and all cases of the properties: `npm run soak`. */
export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.soak-report.json' }]],
    include: ['test/soak/**/*.test.ts', ...properties],
    env: { PROPERTY_RUNS: 'all' },
    // Each test needs both cores of a small machine.
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
