import { readFileSync } from 'node:fs';

const docs = new URL('../../../docs/', import.meta.url);

/** The runbook of an alert. */
export function runbook(alert: string): string {
  return readFileSync(new URL(`runbooks/${alert}.md`, docs), 'utf8');
}

/** The overview of all alerts. */
export function alertsPage(): string {
  return readFileSync(new URL('alerts.md', docs), 'utf8');
}
