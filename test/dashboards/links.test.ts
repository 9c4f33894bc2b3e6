import type { Dashboard } from '@grafana/schema';
import { describe, expect, test } from 'vitest';
import { placeholder } from '../../dashboards/src/query.ts';
import { publishedRunbooks } from '../../src/rules/derive.ts';
import { allDashboards, panelsOf, tilesOf } from './dashboard-reading.ts';

const dashboards = new Map(allDashboards().map((dashboard) => [dashboard.uid ?? '', dashboard]));

function urlsIn(part: Dashboard | Dashboard['panels']): string[] {
  return [...JSON.stringify(part).matchAll(/"url":"([^"]*)"/g)]
    .map(([, url]) => url ?? '')
    .filter((url) => !Object.values(runbooks).includes(url));
}

const runbookPage = `${placeholder('__data.fields.alertname:percentencode')}.md`;
const runbooks = { en: `${publishedRunbooks}/${runbookPage}`, ru: `${publishedRunbooks}/ru/${runbookPage}` };

describe.each([...dashboards])('%s', (uid, dashboard) => {
  test('every link points to an existing dashboard and panel', () => {
    const broken = urlsIn(dashboard).filter((url) => {
      const [, target, query] = /^\/d\/([a-z-]+)\?(.*)$/.exec(url) ?? [];
      const found = dashboards.get(target ?? '');
      const panel = /viewPanel=(\d+)/.exec(query ?? '')?.[1];
      return found === undefined || (panel !== undefined && !tilesOf(found).some(({ id }) => String(id) === panel));
    });

    expect(broken).toEqual([]);
  });

  test('every link keeps the data source and the job', () => {
    const incomplete = urlsIn(dashboard).filter(
      (url) => !url.includes(`${placeholder('datasource:queryparam')}&${placeholder('job:queryparam')}`),
    );

    expect(incomplete).toEqual([]);
  });

  test('account names are percent-encoded in URLs and unchanged in queries', () => {
    const text = JSON.stringify([dashboard.panels, dashboard.annotations]);

    expect([...text.matchAll(/var-account=([^&]*)/g)].filter(([, name]) => !name?.endsWith(':percentencode}'))).toEqual(
      [],
    );
    expect(text).not.toContain('$account');
    expect(text.split(placeholder('account:regex')).length).toBe(
      text.split(`\`${placeholder('account:regex')}`).length,
    );
  });

  test('links to the account dashboard name an account, and links inside panels keep the time range', () => {
    const inPanels = urlsIn(dashboard.panels);

    expect(inPanels.filter((url) => !url.includes(placeholder('__url_time_range')))).toEqual([]);
    expect(inPanels.filter((url) => url.includes('/d/hosting-account') && !url.includes('var-account='))).toEqual([]);
  });

  test('the top links lead to the three other dashboards of the same language', () => {
    const suffix = uid.endsWith('-ru') ? '-ru' : '';
    const all = ['hosting-fleet', 'hosting-account', 'hosting-workload', 'hosting-exporter'];

    const targets = (dashboard.links ?? []).map(({ url }) => url?.replace(/^\/d\/([a-z-]+)\?.*$/, '$1'));

    expect(targets).toEqual(all.map((name) => `${name}${suffix}`).filter((name) => name !== uid));
  });
});

test('every alert in a table links to its runbook in the same language', () => {
  const columns = [...dashboards].flatMap(([uid, dashboard]) =>
    panelsOf(dashboard)
      .flatMap(({ fieldConfig }) => fieldConfig?.overrides ?? [])
      .filter(({ matcher }) => matcher.options === 'alertname')
      .map(({ properties }) => [uid, properties.find(({ id }) => id === 'links')?.value] as const),
  );

  const to = (url: string) => [expect.objectContaining({ url, targetBlank: true })];
  expect(columns).toEqual([
    ['hosting-fleet', to(runbooks.en)],
    ['hosting-fleet', to(runbooks.en)],
    ['hosting-account', to(runbooks.en)],
    ['hosting-fleet-ru', to(runbooks.ru)],
    ['hosting-fleet-ru', to(runbooks.ru)],
    ['hosting-account-ru', to(runbooks.ru)],
  ]);
});
