import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/rules/duration.ts';
import {
  grafanaTemplate,
  label,
  prometheusTemplate,
  type Query,
  type QueryResult,
  queryLabels,
  queryValue,
  render,
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
  queryValue(', ', free, 'bytes', ' are free'),
  queryLabels('; reasons: ', why, 'reason', []),
  '.',
];

describe('a description', () => {
  it('becomes a Prometheus template whose queries select the account of the alert', () => {
    expect(prometheusTemplate(template, scope, 'en')).toBe(
      'Account {{ $labels.account }} uses {{ $value | humanizePercentage }}' +
        '{{ with printf `free{job="hosting",account=%[1]q}` $labels.account | query }}, {{ . | first | value | humanize | reReplaceAll "k" " k" | reReplaceAll "M" " M" | reReplaceAll "G" " G" | reReplaceAll "T" " T" | reReplaceAll "P" " P" }}B are free{{ end }}' +
        '{{ range $index, $one := (query `why{job="hosting"}`) }}{{ if $index }}, {{ else }}; reasons: {{ end }}{{ $one.Labels.reason }}{{ end }}.',
    );
  });

  it('becomes a Grafana template without queries', () => {
    expect(grafanaTemplate(template, 'en')).toBe(
      'Account {{ $labels.account }} uses {{ $values.A.Value | humanizePercentage }}.',
    );
  });

  it('renders like Prometheus, and omits queries without a result', () => {
    const labels = { account: 'shop' };

    const queryResults = new Map<Query, QueryResult>([
      [free, 4_680_000_000],
      [why, ['timeout', 'network']],
    ]);

    expect(render(template, { labels, value: 0.9532, queryResults })).toBe(
      'Account shop uses 95.32%, 4.68 GB are free; reasons: timeout, network.',
    );
    expect(render(template, { labels, value: 0.9532, queryResults }, 'ru')).toBe(
      'Account shop uses 95,32 %, 4,68 ГБ are free; reasons: timeout, network.',
    );
    expect(render(template, { labels, value: 1 })).toBe('Account shop uses 100%.');
  });

  it.each([
    [59, '59s'],
    [3600, '1h'],
    [4200, '1h 10m'],
    [93_784, '1d 2h 3m'],
    [90, '1m'],
    [0, '0s'],
  ])('writes %d seconds as %s', (number, written) => {
    expect(render([value('duration')], { labels: {}, value: number })).toBe(written);
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
    expect(formatDuration(total)).toBe(written);
  });

  it.each(['', 'm', '5', '1.5h', '-5m', '5m1h'])('%j is not a duration', (given) => {
    expect(() => parseDuration(given)).toThrow('not a duration');
  });

  it('is at least one second', () => {
    expect(formatDuration(0.01)).toBe('1s');
  });
});
