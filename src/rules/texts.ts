import type { Language } from './language.ts';
import type { Template } from './template.ts';
import { english } from './texts/english.ts';
import { russian } from './texts/russian.ts';
import type { AlertName, Severity } from './thresholds.ts';

export interface AlertText {
  /** The title of a grouped notification. The title is the same for all accounts and severities. */
  readonly summary: string;
  readonly description: Template | ((severity: Severity) => Template);
}

export type AlertTexts = Readonly<Record<AlertName, AlertText>>;

export const texts: Readonly<Record<Language, AlertTexts>> = { en: english, ru: russian };
