import { defineConfig } from 'vitest/config';

/** Tests that read a clock that cannot be shifted: that of Prometheus, Alertmanager, OpenSSL or another Node.js. */
const otherClocks = [
  'sends a resolved notification',
  'reports the certificate of the API, unless a proxy hides it or it is not trusted',
  'on an old Node.js .* on the installed',
];

/**
 * Tests with a shifted clock: `npm run test:clock`. Left out are tests that compare times with those of a clock that cannot
 * be shifted, and those that read no clock: the package, and promtool, which evaluates rules at times that the tests give.
 */
export default defineConfig({
  test: {
    include: ['test/{unit,integration,e2e}/**/*.test.ts', 'sandbox/test/*.test.ts'],
    exclude: [
      'test/e2e/chain/**',
      'test/e2e/deploy/**',
      'test/e2e/package.test.ts',
      'test/integration/history.test.ts',
      'test/integration/cli/sandbox-tls.test.ts',
      'test/integration/rules/promtool.test.ts',
    ],
    testNamePattern: new RegExp(`^(?!.*(?:${otherClocks.join('|')}))`),
    execArgv: ['--import=./test/clock/shifted-clock.ts'],
    maxWorkers: 4,
    // Longer than any wait of a test, whose message says what it waited for.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
