import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brokenLinks } from '../fixtures/links.ts';
import { repository } from '../fixtures/repository.ts';

const pages = globSync(['*.md', '{.github,alerts,bench,dashboards,deploy,docs,sandbox,test}/**/*.md'], {
  cwd: repository,
  exclude: ['**/node_modules', 'docs/src'],
});

test.each(pages)('%s links to files, headings and pictures that exist', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('a missing file, heading or picture is a broken link, also in HTML and as an address of the repository', () => {
  const address = 'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main';
  const text = `# A heading\n
[a](#a-heading) [b](none.md) [c](pages.md#none) ![d](images/none.png) [e][e] <img src="images/none.jpg">
\`[code](code.md)\` [f](${address}/docs/nothing.md) [g](https://example.com/nothing)\n\n[e]: reference.md\n`;

  expect(brokenLinks('docs/alerts.md', text)).toEqual([
    'docs/alerts.md#a-heading',
    'docs/none.md',
    'docs/pages.md#none',
    'docs/images/none.png',
    'docs/reference.md',
    'docs/images/none.jpg',
    'docs/nothing.md',
  ]);
});
