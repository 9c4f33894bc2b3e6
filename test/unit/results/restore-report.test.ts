import { expect, it } from 'vitest';
import { RestoreReport } from '../../../src/results/snapshot.ts';

it('a report of restored figures counts series, and dropped figures by reason', () => {
  const report = new RestoreReport();
  report.drop('damaged', 0);
  const before = [report.isEmpty, report.fields];
  report.drop('expired');
  report.drop('expired', 2);
  const dropped = [report.isEmpty, report.fields];
  report.series = 5;

  expect(before).toEqual([true, { series: 0 }]);
  expect(dropped).toEqual([false, { series: 0, dropped_expired: 3 }]);
  expect([report.isEmpty, report.fields]).toEqual([false, { series: 5, dropped_expired: 3 }]);
});

it('a report of series alone is not empty', () => {
  expect(Object.assign(new RestoreReport(), { series: 1 }).isEmpty).toBe(false);
});
