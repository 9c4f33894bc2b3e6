import { expect, test } from 'vitest';
import { testSuites } from '../../../src/rules/promtool-tests.ts';
import { perHalfMinute } from '../../../src/rules/scenarios/half-minutes.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { expand } from '../../integration/rules/series-notation.ts';

test.each([
  ['12', '12x1'],
  ['1x10', '1x21'],
  ['5+2x4', '5+1x9'],
  ['600-30x19', '600-15x39'],
  ['+Inf _x4', '+Infx1 _x8'],
  ['_ 1', '_x2 1x1'],
  ['1x3 stale _x2 0', '1x7 stale _ _x4 0x1'],
])('%s becomes %s', (minutes, halves) => {
  expect(perHalfMinute(minutes)).toBe(halves);
});

test('every full minute of every scenario keeps its sample', () => {
  const series = testSuites(settingsSchema.parse({}))
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ sampleSeconds }) => sampleSeconds === 30)
    .flatMap((scenario) => Object.values(scenario.series));

  expect(series.length).toBeGreaterThan(0);
  for (const minutes of series) {
    expect(expand(perHalfMinute(minutes)).filter((_, index) => index % 2 === 0)).toEqual(expand(minutes));
  }
});

test('another notation is refused', () => {
  expect(() => perHalfMinute('1x3 three')).toThrow('three');
});
