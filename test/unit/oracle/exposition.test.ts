import { describe, expect, it } from 'vitest';
import { parsePage } from '../../oracle/exposition.ts';

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
    ['no final line feed', `${head}a 1`],
    ['a blank line', `${head}a 1\n\n`],
    ['a comment', `${head}a 1\n# comment\n`],
    ['no HELP', '# TYPE a gauge\na 1\n'],
    ['no TYPE', '# HELP a Help.\na 1\n'],
    ['no sample', head],
    ['a duplicate family', `${head}a 1\n${head}a{x="1"} 1\n`],
    ['a duplicate series', `${head}a{x="1",y="2"} 1\na{y="2",x="1"} 1\n`],
    ['a sample of another family', `${head}b 1\n`],
    ['a label without escaping', `${head}a{x="""} 1\n`],
    ['a label with an unknown escape', `${head}a{x="\\t"} 1\n`],
    ['a duplicate label', `${head}a{x="1",x="2"} 1\n`],
    ['a trailing comma', `${head}a{x="1",} 1\n`],
    ['a malformed value', `${head}a 1,5\n`],
    ['a timestamp', `${head}a 1 1700000000\n`],
    ['a negative counter', '# HELP a Help.\n# TYPE a counter\na -1\n'],
    ['a carriage return', `${head}a 1\r\n`],
    ['a unit', '# HELP a_bytes Help.\n# TYPE a_bytes gauge\n# UNIT a_bytes bytes\na_bytes 1\n'],
  ])('rejects a page with %s', (_what, page) => {
    expect(() => parsePage(page, 'text')).toThrow();
  });

  it.each([
    ['no EOF', `${head}a 1\n`],
    ['a duplicate EOF', `${head}a 1\n# EOF\n# EOF\n`],
    ['a quote in HELP', '# HELP a A "b".\n# TYPE a gauge\na 1\n# EOF\n'],
    ['a counter without _total', '# HELP a Help.\n# TYPE a counter\na 1\n# EOF\n'],
    ['a counter family named _total', '# HELP a_total Help.\n# TYPE a_total counter\na_total 1\n# EOF\n'],
    ['a unit that the name lacks', `${head}# UNIT a bytes\na 1\n# EOF\n`],
    ['a unit after a sample', '# HELP a_s Help.\n# TYPE a_s gauge\na_s 1\n# UNIT a_s s\n# EOF\n'],
    ['two units', '# HELP a_s Help.\n# TYPE a_s gauge\n# UNIT a_s s\n# UNIT a_s s\na_s 1\n# EOF\n'],
    ['the type untyped', '# HELP a Help.\n# TYPE a untyped\na 1\n# EOF\n'],
    [
      'a bucket that is not a canonical float',
      '# HELP a Help.\n# TYPE a histogram\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n# EOF\n',
    ],
  ])('rejects an OpenMetrics page with %s', (_what, page) => {
    expect(() => parsePage(page, 'openmetrics')).toThrow();
  });
});
