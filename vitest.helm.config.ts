import { defineConfig } from 'vitest/config';

/** Tests of the Helm chart, which need Helm: `npm run test:helm`. */
export default defineConfig({ test: { include: ['test/helm/**/*.spec.ts'] } });
