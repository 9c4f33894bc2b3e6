import { describe, expect, it } from 'vitest';
import { parsePage } from './exposition.ts';

const head = '# HELP a Help.\n# TYPE a gauge\n';

describe('parsePage', () => {
  it('parses a page', () => {
    const page = `${head}a{x="1",y="q\\"b\\\\n\\n"} 1.5\na 2e+3\n`;

    expect(parsePage(page, 'text')).toEqual([
      {
        name: 'a',
        help: 'Help.',
        type: 'gauge',
        unit: '',
        samples: [
          { name: 'a', labels: { x: '1', y: 'q"b\\n\n' }, value: 1.5 },
          { name: 'a', labels: {}, value: 2000 },
        ],
      },
    ]);
  });

  it.each([
    ['no final line feed', `${head}a 1`, 'the last line has no line feed'],
    ['a blank line', `${head}a 1\n\n`, 'line 4: not HELP, TYPE or a sample'],
    ['a comment', `${head}a 1\n# comment\n`, 'line 4: not HELP, TYPE or a sample'],
    ['no HELP', '# TYPE a gauge\na 1\n', 'line 1: TYPE without HELP'],
    ['no TYPE', '# HELP a Help.\na 1\n', 'line 2: HELP without TYPE'],
    ['no sample', head, 'a has no sample'],
    ['a duplicate family', `${head}a 1\n${head}a{x="1"} 1\n`, 'line 4: duplicate family'],
    ['a duplicate series', `${head}a{x="1",y="2"} 1\na{y="2",x="1"} 1\n`, 'line 4: duplicate series'],
    ['a sample of another family', `${head}b 1\n`, 'line 3: a sample outside its family, after the HELP of a'],
    ['a label without escaping', `${head}a{x="""} 1\n`, 'line 3: malformed labels'],
    ['a label with an unknown escape', `${head}a{x="\\t"} 1\n`, 'line 3: malformed labels'],
    ['a duplicate label', `${head}a{x="1",x="2"} 1\n`, 'line 3: duplicate label x'],
    ['a trailing comma', `${head}a{x="1",} 1\n`, 'line 3: a trailing comma'],
    ['a malformed value', `${head}a 1,5\n`, 'line 3: not a value'],
    ['a timestamp', `${head}a 1 1700000000\n`, 'line 3: not a sample'],
    ['a negative counter', '# HELP a Help.\n# TYPE a counter\na -1\n', 'line 3: a negative counter'],
    ['a carriage return', `${head}a 1\r\n`, 'a carriage return outside a label value'],
    [
      'a unit',
      '# HELP a_bytes Help.\n# TYPE a_bytes gauge\n# UNIT a_bytes bytes\na_bytes 1\n',
      'line 3: a unit in the text format',
    ],
  ])('rejects a page with %s', (_what, page, message) => {
    expect(() => parsePage(page, 'text')).toThrow(message);
  });

  it.each([
    ['no EOF', `${head}a 1\n`, 'the page does not end with # EOF'],
    ['a duplicate EOF', `${head}a 1\n# EOF\n# EOF\n`, 'line 4: not HELP, TYPE or a sample'],
    ['a quote in HELP', '# HELP a A "b".\n# TYPE a gauge\na 1\n# EOF\n', 'line 1: malformed escape in HELP'],
    [
      'a counter without _total',
      '# HELP a Help.\n# TYPE a counter\na 1\n# EOF\n',
      'line 3: a sample outside its family, after the HELP of a',
    ],
    [
      'a counter family named _total',
      '# HELP a_total Help.\n# TYPE a_total counter\na_total 1\n# EOF\n',
      'line 2: a counter family named _total',
    ],
    ['a unit that the name lacks', `${head}# UNIT a bytes\na 1\n# EOF\n`, 'line 3: the name does not end in the unit'],
    [
      'a unit after a sample',
      '# HELP a_s Help.\n# TYPE a_s gauge\na_s 1\n# UNIT a_s s\n# EOF\n',
      'line 4: UNIT after samples',
    ],
    [
      'two units',
      '# HELP a_s Help.\n# TYPE a_s gauge\n# UNIT a_s s\n# UNIT a_s s\na_s 1\n# EOF\n',
      'line 4: UNIT does not follow TYPE',
    ],
    ['the type untyped', '# HELP a Help.\n# TYPE a untyped\na 1\n# EOF\n', 'line 2: unknown type'],
    [
      'a bucket that is not a canonical float',
      '# HELP a Help.\n# TYPE a histogram\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n# EOF\n',
      'a: the bucket 1 is not a canonical OpenMetrics number',
    ],
  ])('rejects an OpenMetrics page with %s', (_what, page, message) => {
    expect(() => parsePage(page, 'openmetrics')).toThrow(message);
  });
});
