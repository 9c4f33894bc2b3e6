import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { Language } from '../../src/rules/languages.ts';
import { alertThresholds, type Severity } from '../../src/rules/thresholds.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { runbook, runbookPath } from '../rules/pages.ts';
import { alertNames, rules, severitiesOf } from '../rules/rule-file.ts';

/** The default threshold, in the unit of docs/configuration.md, and the `for` of each severity of an alert. */
function defaultsOf(alert: string): string {
  const thresholds = alertThresholds.find((one) => one.alert === alert);
  return rules
    .filter((rule) => rule.alert === alert)
    .map(({ labels, for: wait }) => {
      const severity = (labels?.['severity'] ?? '') as Severity;
      const value = thresholds?.levels[severity]?.value;
      return `${severity}: ${value === undefined ? '' : `\`${value}\` `}for ${wait}`;
    })
    .join('; ');
}

function inSentence(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** The row of a new alert, from its runbook. */
function newRow(alert: string, language: Language): string {
  const [head = '', meaning = '', impact = ''] = runbook(alert, language).split(/^## .*\n\n/m);
  const [, firstStep = ''] = /^- \*\*.+?\*\*: (.+)\.$/m.exec(head) ?? [];
  const firstSentence = (text: string) =>
    text
      .split(/\.\s/, 1)
      .join()
      .replaceAll(/\[(.+?)\]\(.+?\)/g, '$1');
  const link = relative(language === 'en' ? 'docs' : 'docs/ru', runbookPath(alert, language));
  const severity = severitiesOf(alert).join(', ');
  const [yes, no, dashboardOnly] = {
    en: ['yes', 'no', 'no: dashboard only'],
    ru: ['да', 'нет', 'нет: видно только на дашборде'],
  }[language];
  const getUp = severity.includes('critical') ? yes : severity === 'info' ? dashboardOnly : no;
  const reason = `${severity}: ${inSentence(firstSentence(meaning))}`;
  return `| [${alert}](${link}) |  | ${reason} | ${inSentence(firstSentence(impact))} | ${getUp} | ${inSentence(firstStep)} |`;
}

test.each([
  ['docs/alerts.md', 'en'],
  ['docs/ru/alerts.md', 'ru'],
] as const)('the alerts and defaults in %s are up to date: run npx vitest run test/docs -u', async (path, language) => {
  const written = readText(path);
  const missing = alertNames.filter((alert) => !written.includes(`\n| [${alert}](`));
  const added = missing.map((alert) => `${newRow(alert, language)}\n`).join('');
  const page = written
    .replace(/(?<=^\| \[Hosting.*\n)(?!\| \[Hosting)/m, () => added)
    .replaceAll(
      /^(\| \[(Hosting\w+)\]\(.*?\) \|).*?\|/gm,
      (_, start: string, alert: string) => `${start} ${defaultsOf(alert)} |`,
    );

  await expect(page).toMatchFileSnapshot(join(repository, path));
});

const words: Readonly<Record<number, string>> = { 3: 'three', 5: 'five', 7: 'seven', 12: 'twelve', 14: 'fourteen' };
const units = {
  hours: 'hours|часов',
  days: 'days|дней|дня',
  intervals: 'intervals|интервал',
  times: 'times|раз',
} as const;

test.each(alertThresholds)('the runbooks of $alert do not repeat its thresholds', ({ alert, unit, levels }) => {
  const prose = [runbook(alert), runbook(alert, 'ru')].join('\n').replaceAll(/^```[\s\S]*?^```$|^\d+\. /gm, '');
  const written = Object.values(levels).flatMap(({ value }) => {
    if (unit === 'count' || unit === 'currency') return [];
    if (unit === 'ratio') return [`\\b${value * 100} ?%`, `\\b${value}\\b`];
    return [value, words[value]]
      .filter((number) => number !== undefined)
      .map((number) => `\\b${number} (?:${units[unit]})`);
  });

  for (const pattern of written) expect(prose).not.toMatch(new RegExp(pattern));
});
