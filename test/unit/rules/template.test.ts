import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/rules/duration.ts';
import {
  grafanaTemplate,
  label,
  prometheusTemplate,
  queryLabels,
  queryValue,
  render,
  value,
} from '../../../src/rules/template.ts';

const scope = { matchers: 'job="hosting"', replicaLabels: ['instance'] };
const template = [
  'Account ',
  label('account'),
  ' uses ',
  value('percent'),
  queryValue(', ', ({ matchers }) => `free{${matchers}}`, 'bytes', ' are free'),
  queryLabels('; reasons: ', ({ matchers }) => `why{${matchers}}`, 'reason', []),
  '.',
];

describe('a description', () => {
  it('becomes a Prometheus template whose queries select the account of the alert', () => {
    expect(prometheusTemplate(template, scope)).toBe(
      'Account {{ $labels.account }} uses {{ $value | humanizePercentage }}' +
        '{{ with printf `free{job="hosting",account=%[1]q}` $labels.account | query }}, {{ . | first | value | humanize }}B are free{{ end }}' +
        '{{ range $index, $one := (query `why{job="hosting"}`) }}{{ if $index }}, {{ else }}; reasons: {{ end }}{{ $one.Labels.reason }}{{ end }}.',
    );
  });

  it('becomes a Grafana template without queries', () => {
    expect(grafanaTemplate(template)).toBe(
      'Account {{ $labels.account }} uses {{ $values.A.Value | humanizePercentage }}.',
    );
  });

  it('renders like Prometheus, and omits queries without a result', () => {
    const labels = { account: 'shop' };

    expect(render(template, { labels, value: 0.9532, queryResults: [4_680_000_000, ['timeout', 'network']] })).toBe(
      'Account shop uses 95.32%, 4.68GB are free; reasons: timeout, network.',
    );
    expect(render(template, { labels, value: 1, queryResults: [undefined, undefined] })).toBe(
      'Account shop uses 100%.',
    );
  });

  it.each([
    [59, '59s'],
    [3600, '1h 0m 0s'],
    [93_784, '1d 2h 3m 4s'],
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
