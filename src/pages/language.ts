import { english, type Texts } from './english.ts';
import { russian } from './russian.ts';

/** The first language is the default. */
export const languages = ['en', 'ru'] as const;

export type PageLanguage = (typeof languages)[number];

export function isLanguage(text: string | null): text is PageLanguage {
  return languages.some((language) => language === text);
}

export const textsOf: Readonly<Record<PageLanguage, Texts>> = { en: english, ru: russian };
