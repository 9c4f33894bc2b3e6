import { describe, expect, it } from 'vitest';
import { parseDuration, scaleDuration } from '../../../src/rules/duration.ts';
import {
  grafanaTemplate,
  label,
  prometheusTemplate,
  type Query,
  queryLabels,
  queryValue,
  value,
} from '../../../src/rules/template.ts';

const scope = { matchers: 'job="hosting"', replicaLabels: ['instance'] };
const free: Query = ({ matchers }) => `free{${matchers}}`;
const why: Query = ({ matchers }) => `why{${matchers}}`;
const template = [
  'Account ',
  label('account'),
  ' uses ',
  value('percent'),
  queryValue(', ', free, 'tenths', ' GB are free'),
  queryLabels(', reason ', why, 'reason', []),
  '.',
];

describe('a description', () => {
  it('becomes a Prometheus template whose queries select the account of the alert', () => {
    expect(prometheusTemplate(template, scope, 'en')).toBe(
      'Account {{ $labels.account }} uses {{ $value | humanizePercentage }}' +
        '{{ with printf `free{job="hosting",account=%q}` $labels.account | query }}, {{ . | first | value | printf "%.1f" }} GB are free{{ end }}' +
        '{{ range query `why{job="hosting"}` }}, reason {{ .Labels.reason }}{{ end }}.',
    );
  });

  it('becomes a Grafana template without queries', () => {
    expect(grafanaTemplate(template, 'en')).toBe(
      'Account {{ $labels.account }} uses {{ $values.A.Value | humanizePercentage }}.',
    );
  });
});

describe('a duration', () => {
  it.each([
    ['90m', 5400, '1h30m'],
    ['1w', 604_800, '7d'],
    ['6d12h', 561_600, '6d12h'],
    ['45s', 45, '45s'],
  ])('%s is %d seconds, formatted as %s', (given, total, written) => {
    expect(parseDuration(given)).toBe(total);
    expect(scaleDuration('1s', total)).toBe(written);
  });

  it.each(['', 'm', '5', '1.5h', '-5m', '5m1h'])('%j is not a duration', (given) => {
    expect(() => parseDuration(given)).toThrow('not a duration');
  });

  it('is at least one second', () => {
    expect(scaleDuration('1s', 0.01)).toBe('1s');
  });
});
