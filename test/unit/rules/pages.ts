import { readFileSync } from 'node:fs';
import type { Language } from '../../../src/rules/language.ts';

const docs = new URL('../../../docs/', import.meta.url);

/** The runbook of an alert. */
export function runbook(alert: string, language: Language = 'en'): string {
  return readFileSync(runbookFile(alert, language), 'utf8');
}

/** The file of a runbook. */
export function runbookFile(alert: string, language: Language): URL {
  return new URL(`runbooks/${language === 'en' ? '' : `${language}/`}${alert}.md`, docs);
}

/** The overview of all alerts. */
export function alertsPage(): string {
  return readFileSync(new URL('alerts.md', docs), 'utf8');
}
