import { expect, test } from 'vitest';
import { readText } from '../../fixtures/repository.ts';

/** The headings of README.md with their translations. */
const headings = {
  'hosting-account-exporter': 'hosting-account-exporter',
  'Try it': 'Попробовать',
  'Without an account': 'Без аккаунта',
  'With Prometheus, Alertmanager and Grafana': 'С Prometheus, Alertmanager и Grafana',
  'With your account': 'Со своим аккаунтом',
  'Does my provider fit?': 'Подойдёт ли мой хостер?',
  'Compared with alternatives': 'Сравнение с другими способами',
  'Read on': 'Что читать дальше',
} as const;

const english = readText('README.md');
const russian = readText('README.ru.md');

function headingsOf(page: string): readonly string[] {
  return [...page.matchAll(/^(#+) (.+)$/gm)].map(([, level, text]) => `${level} ${text}`);
}

function blocksOf(page: string): readonly string[] {
  return [...page.matchAll(/^```\w*\n.*?^```$/gms)].map(([block]) => block);
}

/** Addresses of links and pictures. The pages link to each other, and pictures are translated, too. */
function addressesOf(page: string): readonly string[] {
  return [...page.matchAll(/\]\(([^)]+)\)|<(http[^>]+)>/g)]
    .map(([, link, address]) => link ?? address ?? '')
    .map((address) => address.replace(/^README(?:\.ru)?\.md$/, 'the other page').replace('-ru.png', '.png'));
}

function tableRowsOf(page: string): number {
  return [...page.matchAll(/^\|/gm)].length;
}

test('README.ru.md has the headings of README.md', () => {
  const translated = headingsOf(english).map((heading) => {
    const [, level, text = ''] = /^(#+) (.+)$/.exec(heading) ?? [];
    return `${level} ${(headings as Readonly<Record<string, string>>)[text] ?? `no translation of "${text}" in this test`}`;
  });

  expect(headingsOf(russian)).toEqual(translated);
});

test('README.ru.md has the commands and examples of README.md', () => {
  expect(blocksOf(english).length).toBeGreaterThan(3);
  expect(blocksOf(russian)).toEqual(blocksOf(english));
});

test('README.ru.md has the links, pictures and table rows of README.md', () => {
  expect(addressesOf(russian)).toEqual(addressesOf(english));
  expect(tableRowsOf(russian)).toBe(tableRowsOf(english));
});
