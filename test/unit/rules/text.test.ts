import { describe, expect, it } from 'vitest';
import { duration, seconds } from '../../../src/rules/duration.ts';
import { ask, filled, grafanaTemplate, label, list, prometheusTemplate, value } from '../../../src/rules/text.ts';

const scope = { matchers: 'job="hosting"', replicaLabels: ['instance'] };
const text = [
  'Account ',
  label('account'),
  ' uses ',
  value('percent'),
  ask(', ', ({ matchers }) => `free{${matchers}}`, 'bytes', ' are free'),
  list('; reasons: ', ({ matchers }) => `why{${matchers}}`, 'reason', []),
  '.',
];

describe('a description', () => {
  it('becomes a template of Prometheus that asks about its own account', () => {
    expect(prometheusTemplate(text, scope)).toBe(
      'Account {{ $labels.account }} uses {{ $value | humanizePercentage }}' +
        '{{ with printf `free{job="hosting",account=%[1]q}` $labels.account | query }}, {{ . | first | value | humanize }}B are free{{ end }}' +
        '{{ range $index, $one := (query `why{job="hosting"}`) }}{{ if $index }}, {{ else }}; reasons: {{ end }}{{ $one.Labels.reason }}{{ end }}.',
    );
  });

  it('becomes a template of Grafana without the questions', () => {
    expect(grafanaTemplate(text)).toBe(
      'Account {{ $labels.account }} uses {{ $values.A.Value | humanizePercentage }}.',
    );
  });

  it('is filled in as Prometheus does, leaving out what has no answer', () => {
    const labels = { account: 'shop' };

    expect(filled(text, { labels, value: 0.9532, answers: [4_680_000_000, ['timeout', 'network']] })).toBe(
      'Account shop uses 95.32%, 4.68GB are free; reasons: timeout, network.',
    );
    expect(filled(text, { labels, value: 1, answers: [undefined, undefined] })).toBe('Account shop uses 100%.');
  });

  it.each([
    [59, '59s'],
    [3600, '1h 0m 0s'],
    [93_784, '1d 2h 3m 4s'],
    [0, '0s'],
  ])('writes %d seconds as %s', (number, written) => {
    expect(filled([value('duration')], { labels: {}, value: number })).toBe(written);
  });
});

describe('a duration', () => {
  it.each([
    ['90m', 5400, '1h30m'],
    ['1w', 604_800, '7d'],
    ['6d12h', 561_600, '6d12h'],
    ['45s', 45, '45s'],
  ])('%s is %d seconds, written %s', (given, total, written) => {
    expect(seconds(given)).toBe(total);
    expect(duration(total)).toBe(written);
  });

  it.each(['', 'm', '5', '1.5h', '-5m', '5m1h'])('%j is none', (given) => {
    expect(() => seconds(given)).toThrow('not a duration');
  });

  it('is never shorter than a second', () => {
    expect(duration(0.01)).toBe('1s');
  });
});
