import { existsSync, readFileSync } from 'node:fs';
import { html, type SafeHtml } from '@remix-run/html-template';
import { packageFolder } from '../config/values/package-folder.ts';
import type { Language } from '../rules/languages.ts';

const folder = new URL('docs/runbooks/', packageFolder);

const headings = { en: 'Mitigation', ru: 'Что делать' } as const;

const read = new Map<string, ReturnType<typeof readSteps>>();

/** The numbered steps of an alert's runbook, as HTML and as plain text. Empty if the runbook is not installed. */
export function stepsOf(alert: string, language: Language) {
  const path = `${language === 'en' ? '' : `${language}/`}${alert}.md`;
  const file = new URL(path, folder);
  // Read each runbook only once, because many accounts can have the same problem.
  const steps = read.get(path) ?? (existsSync(file) ? readSteps(readFileSync(file, 'utf8'), language) : []);
  read.set(path, steps);
  return steps;
}

/** A step is one line of Markdown. An indented block of code may follow. */
function readSteps(runbook: string, language: Language): readonly { readonly item: SafeHtml; readonly text: string }[] {
  const [, section = ''] = runbook.split(`\n## ${headings[language]}\n`);
  const [list = ''] = section.split('\n## ');
  return [...list.matchAll(/^\d+\. (.+)\n(?:\n {3}```.*\n((?: {3}.*\n)+?) {3}```)?/gm)].map(
    ([, text = '', code = '']) => {
      // Remove links and emphasis.
      const parts = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('`');
      const words = parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
      const block = code === '' ? '' : html`<pre tabindex="0">${code.replace(/^ {3}/gm, '')}</pre>`;
      return { item: html`<li>${words}${block}</li>`, text: parts.join('') };
    },
  );
}
