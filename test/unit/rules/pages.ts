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

/** The fenced blocks of one language. */
export function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}
