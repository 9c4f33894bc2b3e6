import type { Language } from '../../src/rules/derive.ts';
import { readText } from '../fixtures/repository.ts';

/** The runbook of an alert. */
export function runbook(alert: string, language: Language = 'en'): string {
  return readText(runbookPath(alert, language));
}

/** The path of a runbook in the repository. */
export function runbookPath(alert: string, language: Language): string {
  return `docs/runbooks/${language === 'en' ? '' : `${language}/`}${alert}.md`;
}

/** The overview of all alerts. */
export function alertsPage(): string {
  return readText('docs/alerts.md');
}
