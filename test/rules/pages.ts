import type { Language } from '../../src/rules/languages.ts';
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

/** The answer of docs/alerts.md to "Must someone get up?". */
export function mustGetUp(name: string, severity: string): 'yes' | 'no' {
  const row = alertsPage()
    .split('\n')
    .find((line) => line.startsWith(`| [${name}]`));
  const cell = row?.split(' | ')[4] ?? '';
  const [, answer] = new RegExp(`${severity}: (yes|no)\\b`).exec(cell) ?? /^(yes|no)\b/.exec(cell) ?? [];
  if (answer !== 'yes' && answer !== 'no') throw new Error(`docs/alerts.md does not say: ${name} ${severity}`);
  return answer;
}
