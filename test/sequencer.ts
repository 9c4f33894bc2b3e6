import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first (docs/project/testing.md). Started last, they would run alone at the end. */
const slowest = [
  'test/cli/init.test.ts',
  'test/rules/promtool.test.ts',
  'test/e2e/program.test.ts',
  'test/cli/demo.test.ts',
  'test/e2e/secrets.test.ts',
  'test/web/chromium.test.ts',
  'test/e2e/prometheus.test.ts',
  'test/e2e/deploy/report-recipes.test.ts',
  'test/e2e/security.test.ts',
  'test/web/security/attacks.test.ts',
  'test/e2e/written-files.test.ts',
  'test/deploy/settings.test.ts',
  'test/e2e/shards.test.ts',
  'test/e2e/deploy/examples.test.ts',
  'test/cli/check/recording.test.ts',
  'test/dashboards/data.test.ts',
  'sandbox/test/methods.test.ts',
];

/** Starts the slowest files first, and the others in the order of vitest. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex((file) => moduleId.endsWith(file));
      return index < 0 ? slowest.length : index;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
