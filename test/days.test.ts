import { describe, expect, it } from 'vitest';
import { formatOf } from '../src/pages/format.ts';
import { languages, textsOf } from '../src/pages/language.ts';
import { describeProblem } from '../src/pages/problem-texts.ts';
import { pageContext } from './fixtures/page-context.ts';

const day = 86_400_000;

/** An afternoon in Moscow. */
const now = Date.parse('2026-06-03T12:00:00Z');
/** The start of this day in Moscow. */
const midnight = Date.parse('2026-06-02T21:00:00Z');

/** The words for the deadline on each day from the day before yesterday to the day after tomorrow, as seen today. */
const words = {
  page: {
    en: {
      suspension: [
        'Payment was due 2 days ago',
        'Payment was due yesterday',
        'suspended today',
        'suspended tomorrow',
        'suspended in 2 days',
      ],
      domain: ['expired 2 days ago', 'expired yesterday', 'expires today', 'expires tomorrow', 'expires in 2 days'],
    },
    ru: {
      suspension: [
        'истёк позавчера',
        'истёк вчера',
        'заблокируют сегодня',
        'заблокируют завтра',
        'заблокируют послезавтра',
      ],
      domain: ['истекла позавчера', 'истекла вчера', 'истекает сегодня', 'истекает завтра', 'истекает послезавтра'],
    },
  },
} as const;

const kinds = ['suspension', 'domain'] as const;
const cases = languages.flatMap((language) =>
  kinds.flatMap((kind) => [-2, -1, 0, 1, 2].map((days, index) => [days, kind, language, index] as const)),
);

describe('a deadline', () => {
  it.each(cases)('in %d days is right on the page: %s in %s', (days, kind, language, index) => {
    const context = pageContext({
      language,
      texts: textsOf[language],
      format: formatOf(language, 'Europe/Moscow'),
      now,
    });
    const time = midnight + days * day;
    const problem = { state: 'critical', kind, domain: 'shop.example', time } as const;

    expect(describeProblem(context, problem).replaceAll('\u00a0', ' ')).toContain(words.page[language][kind][index]);
  });
});
