import { expect, test } from 'vitest';
import { readText } from '../fixtures/repository.ts';

test.each(['docs/without-prometheus.md', 'docs/ru/without-prometheus.md'])(
  '%s says how many series the account shop of the demo has',
  (page) => {
    const samples = readText('test/golden/provider.txt').split('\n');
    const figures = samples.filter((line) => /^hosting_(?!up|exporter_).*account="shop"/.test(line));

    expect(readText(page)).toMatch(new RegExp(`^\\| [^|]+ \\| ${figures.length} .*\`shop\``, 'm'));
  },
);
