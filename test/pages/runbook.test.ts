import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/pages/runbook.ts';
import { languages } from '../../src/rules/languages.ts';
import { runbook } from '../rules/pages.ts';
import { alertNames } from '../rules/rule-file.ts';

const headings = { en: '\n## Mitigation\n', ru: '\n## Что делать\n' } as const;

/** The numbers of the list, and the words without markup and tables. */
function sectionOf(alert: string, language: 'en' | 'ru') {
  const [section = ''] = runbook(alert, language).split(headings[language])[1]?.split('\n## ') ?? [];
  return {
    numbers: section.match(/^\d+\. /gm) ?? [],
    words: section.replace(/^\|.*/gm, '').match(/\p{L}{3,}/gu) ?? [],
  };
}

describe.each(languages)('in %s', (language) => {
  it.each(alertNames)('the steps of %s are those of its runbook', (alert) => {
    const { numbers, words } = sectionOf(alert, language);

    const steps = stepsOf(alert, language).map(({ item }) => String(item));

    expect(steps.length).toBeGreaterThanOrEqual(2);
    expect(steps).toHaveLength(numbers.length);
    const text = steps.join('').replace(/<[^>]+>/g, ' ');
    expect(text).not.toMatch(/`|\]\(|\*\*/);
    // Links have lost their addresses, and blocks of code their language.
    const missing = words.filter((word) => !text.includes(word) && !/^(?:yaml|sh|text|promql)$/.test(word));
    expect(missing.filter((word) => !new RegExp(`\\]\\([^)]*${word}`).test(runbook(alert, language)))).toEqual([]);
  });
});

it('a runbook that is not installed has no steps', () => {
  expect(stepsOf('HostingUnknown', 'en')).toEqual([]);
});
