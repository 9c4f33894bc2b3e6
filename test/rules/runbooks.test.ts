import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/rules/languages.ts';
import { severities } from '../../src/rules/thresholds.ts';
import { linksOf } from '../fixtures/links.ts';
import { codeBlocks } from '../fixtures/markdown.ts';
import { analyzeQuery } from '../fixtures/promql.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { inRussian } from '../fixtures/translation.ts';
import { metricContract } from './metric-contract.ts';
import { mustGetUp, runbook, runbookPath } from './pages.ts';
import { alertNames, rules, severitiesOf } from './rule-file.ts';

/** The fixed words of the runbooks, by language. */
const words = {
  en: {
    headings: ['Mitigation', 'Meaning', 'Impact', 'Diagnosis', 'When it is safe to ignore'],
    open: 'Open',
    firstStep: 'First step',
    wait: 'Can it wait until morning?',
    answers: { yes: 'no', no: 'yes' },
    dashboard: /^- \*\*Dashboard\*\*: (.+), panel "(.+)"\.$/m,
    solved: 'Solved when',
    replace: 'replace `shop` with the account of the alert',
    controlPanel: /provider's control panel/,
  },
  ru: {
    headings: ['Что делать', 'Что это значит', 'Чем грозит', 'Как разобраться', 'Когда можно не обращать внимания'],
    open: 'Откройте',
    firstStep: 'С чего начать',
    wait: 'Можно ли подождать до утра?',
    answers: { yes: 'нет', no: 'да' },
    dashboard: /^- \*\*Дашборд\*\*: (.+), панель «(.+)»\.$/m,
    solved: 'Исправлено, если',
    replace: 'Замените в запросах `shop` на аккаунт из оповещения',
    controlPanel: /анел[ьи] управления хостера/,
  },
} as const;
const records = new Set(rules.flatMap(({ record }) => record ?? []));
const knownLabels = new Set([...metricContract.values()].flat());

it.each(languages)('docs/runbooks contains exactly one page per alert in %s', (language) => {
  const folder = join(repository, dirname(runbookPath('HostingPollFailing', language)));
  const pages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());

  expect(pages.map(({ name }) => name).toSorted()).toEqual(alertNames.map((alert) => `${alert}.md`).toSorted());
});

const pages = languages.flatMap((language) => alertNames.map((alert) => ({ alert, language })));

describe.each(pages)('the runbook of $alert in $language', ({ alert, language }) => {
  const text = runbook(alert, language);
  const { headings, firstStep, dashboard: dashboardLine, solved, replace, controlPanel } = words[language];

  it('has its title, its severities, and all sections in order with content', () => {
    const [, ...sections] = text.split(/^## /m);
    const meaning = sections[1]?.split('\n\n')[1] ?? '';
    const named = severities.filter((severity) => meaning.includes(`**${severity}**`));

    expect(text.startsWith(`# ${alert}\n`)).toBe(true);
    expect(named).toEqual(severities.filter((severity) => severitiesOf(alert).includes(severity)));
    expect(sections.map((section) => section.split('\n')[0])).toEqual(headings);
    const short = sections.filter((section) => section.split('\n').slice(1).join('').trim().length <= 60);
    expect(short, 'write more than 60 characters below each heading').toEqual([]);
    expect(text).toMatch(controlPanel);
    expect(text).not.toMatch(/TODO|FIXME|TBD|XXX|lorem/i);
  });

  it('begins with the first step, the page and panel to open, and how to see that the fault is fixed', () => {
    const [, board, panel] = dashboardLine.exec(text) ?? [];
    const linked = rules
      .filter((rule) => rule.alert === alert)
      .map(({ annotations }) => /^\/d\/([a-z-]+)/.exec(annotations?.['dashboard_url'] ?? '')?.[1] ?? '');

    const [, wait = ''] =
      new RegExp(`\\n- \\*\\*${words[language].wait.replace('?', '\\?')}\\*\\* (.+)\n`).exec(text) ?? [];
    expect(text).toMatch(
      new RegExp(
        `^# ${alert}\n\n- \\*\\*${firstStep}\\*\\*: .{20,}\n(?:- .+\n){1,2}- \\*\\*${words[language].open}\\*\\*: .{20,}\n`,
      ),
    );
    for (const severity of severitiesOf(alert)) {
      const answer = words[language].answers[mustGetUp(alert, severity)];
      const given = wait.includes(`${severity}:`) ? wait.split(`${severity}: `)[1] : wait;
      expect(given?.toLowerCase().startsWith(answer), `${severity}: ${answer}`).toBe(true);
    }
    expect(text).toMatch(new RegExp(`^- \\*\\*${solved}\\*\\*: .{20,}$`, 'm'));
    for (const uid of linked) {
      const dashboard = readDashboard(language === 'en' ? uid : `${uid}-${language}`);
      expect(board, uid).toBe(dashboard.title);
      expect(panelTitles(dashboard), uid).toContain(panel);
    }
  });

  it('begins with the step that notifications show', () => {
    const template = alertTemplate(language);
    const [, step = ''] = new RegExp(`^- \\*\\*${firstStep}\\*\\*: (.+)$`, 'm').exec(text) ?? [];
    const [, ofMany] = new RegExp(`if and [^}]* "${alert}"[^}]*\\}\\}(.+)`).exec(template) ?? [];
    const [, forMany] = /^- \*\*(?:Several|Несколько) \S+\*\*: (.+)$/m.exec(text) ?? [];
    const [, shown] = new RegExp(`if eq \\$alert[^}]* "${alert}"[^}]*\\}\\}(.+)`).exec(template) ?? [];

    expect(shown?.toLowerCase()).toBe(step.replaceAll(/[`*]/g, '').toLowerCase());
    expect(ofMany?.toLowerCase()).toBe(forMany?.replaceAll(/[`*]/g, '').toLowerCase());
  });

  it('says once which names to replace', () => {
    const mentions = text.split(replace).length - 1;

    const isNeeded = codeBlocks(text, 'promql').some((query) => query.includes('"shop"'));
    expect(mentions, `a runbook with queries about "shop" contains once: ${replace}`).toBe(Number(isNeeded));
  });

  it('shows a result below each query, in units that people read', () => {
    const shown = examples(text);

    expect(shown.length).toBeGreaterThanOrEqual(1);
    for (const { rows } of shown) {
      for (const { value } of rows) {
        expect(value.replace('-', '').length, value).toBeLessThanOrEqual(5);
      }
    }
  });

  it('queries only metrics and labels that exist, one quantity per query', () => {
    const queries = codeBlocks(text, 'promql');

    expect(queries.length).toBeGreaterThanOrEqual(1);
    for (const query of queries) {
      // `or` drops series with equal labels: two quantities of one account need two queries.
      expect(query).not.toContain(' or ');
      const { selectors, grouping } = analyzeQuery(query);
      for (const { metric, labels } of selectors) {
        const isAny = records.has(metric) || metric === '';
        const known = isAny ? ['__name__', ...knownLabels] : metricContract.get(metric);
        if (!isAny) expect([...metricContract.keys()], metric).toContain(metric);
        for (const label of labels) {
          expect(known, metric).toContain(label);
        }
      }
      for (const label of grouping) {
        expect(['__name__', ...knownLabels]).toContain(label);
      }
    }
  });
});

describe.each(alertNames)('the runbook of %s in Russian', (alert) => {
  const english = runbook(alert);
  const russian = runbook(alert, 'ru');

  it('has the same queries and results, commands, links and headings as the English one', () => {
    const commands = (text: string) =>
      ['sh', 'sql', 'yaml'].map((kind) =>
        codeBlocks(text, kind).map((code) => code.replace(/--comment=".+"/, '--comment=""')),
      );

    expect(examples(russian)).toEqual(examples(english));
    expect(linksOf(runbookPath(alert, 'ru')).toSorted()).toEqual(
      linksOf(runbookPath(alert, 'en')).map(inRussian).toSorted(),
    );
    expect(commands(russian)).toEqual(commands(english));
    expect(russian.match(/^#+ /gm)?.length).toBe(english.match(/^#+ /gm)?.length);
    expect(russian.match(/^(\d\.|-|\|) /gm)?.length).toBe(english.match(/^(\d\.|-|\|) /gm)?.length);
  });

  it('has no paragraph in English', () => {
    const prose = russian.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/^[#|].*$/gm, '');

    for (const paragraph of prose.split('\n').filter((line) => line.trim() !== '')) {
      expect(paragraph).toMatch(/[а-яё]{3}/i);
    }
  });
});

describe.each(languages)('the notifications in %s', (language) => {
  it.each(alertNames)('say whether %s can wait, as docs/alerts.md does', (alert) => {
    const [, patient = ''] = /not \(match "(.+?)" \.Labels\.alertname/.exec(alertTemplate(language)) ?? [];

    for (const severity of severitiesOf(alert)) {
      const wakes = severity === 'critical' && !new RegExp(patient).test(alert);
      expect(wakes ? 'yes' : 'no', severity).toBe(mustGetUp(alert, severity));
    }
  });
});

function alertTemplate(language: string): string {
  const name = language === 'en' ? 'hosting.tmpl' : `hosting.${language}.tmpl`;
  return readText(`alerts/templates/${name}`);
}

interface Panel {
  readonly title?: string;
  readonly panels?: readonly Panel[];
}

function readDashboard(uid: string): Panel {
  return JSON.parse(readText(`dashboards/${uid}.json`)) as Panel;
}

/** The titles of all panels, also of those in collapsed rows. */
function panelTitles({ panels = [] }: Panel): readonly (string | undefined)[] {
  return panels.flatMap((panel) => [panel.title, ...panelTitles(panel)]);
}

/** The queries of a runbook with the rows of their results. Throws if a result is missing or has another form. */
function examples(page: string) {
  return [...page.matchAll(/^```promql\n([\s\S]*?)\n```\n(?:\n```text\n([\s\S]*?)\n```$)?/gm)].map(
    ([, query = '', result]) => {
      if (result === undefined) throw new Error(`there is no result below the query ${query}`);
      return { query, rows: /^\([^)]+\)$/.test(result) ? [] : result.split('\n').map(row) };
    },
  );
}

function row(line: string) {
  const [, labels, value] = /^(\{.+\}) (-?\d+(?:\.\d+)?)(?: \D+)?$/.exec(line) ?? [];
  if (labels === undefined || value === undefined) throw new Error(`a row needs labels and a value: ${line}`);
  return { labels, value };
}
