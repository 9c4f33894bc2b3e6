import { type Language, languages } from '../rules/languages.ts';
import { english, type Texts } from './english.ts';
import { russian } from './russian.ts';

export function isLanguage(text: string | null): text is Language {
  return languages.some((language) => language === text);
}

export const textsOf: Readonly<Record<Language, Texts>> = { en: english, ru: russian };
