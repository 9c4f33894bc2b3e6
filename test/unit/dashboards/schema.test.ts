import { expect, test } from 'vitest';
import { z } from 'zod';
import { allDashboards, englishDashboards } from './dashboard-reading.ts';
import { dashboardSchema } from './dashboard-schema.ts';

test.each(allDashboards().map((dashboard) => [dashboard.uid ?? '', dashboard] as const))(
  '%s matches the schema of Grafana',
  (_, dashboard) => {
    const asImported: unknown = JSON.parse(JSON.stringify(dashboard));

    const { error } = dashboardSchema.safeParse(asImported);

    expect(error === undefined ? '' : z.prettifyError(error)).toBe('');
  },
);

test.each([
  ['"refresh"', '"refesh"'],
  ['"unit"', '"uniit"'],
  ['"graphMode"', '"graphMod"'],
  ['"custom.cellOptions"', '"custom.cellOption"'],
  ['"schemaVersion":39', '"schemaVersion":42'],
])('the schema rejects a typo: %s as %s', (right, wrong) => {
  const [fleet] = englishDashboards();
  const withTypo: unknown = JSON.parse(JSON.stringify(fleet).replace(right, wrong));

  const { success } = dashboardSchema.safeParse(withTypo);

  expect(success).toBe(false);
});
