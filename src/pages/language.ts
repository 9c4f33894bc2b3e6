import { english } from './english.ts';
import { russian } from './russian.ts';
import type { Texts } from './texts.ts';

/** The languages of the pages; the first is the default. */
export const languages = ['en', 'ru'] as const;

export type Language = (typeof languages)[number];

/** Whether a text names a language of the pages. */
export function isLanguage(text: string | null): text is Language {
  return languages.some((language) => language === text);
}

export const textsOf: Readonly<Record<Language, Texts>> = { en: english, ru: russian };
