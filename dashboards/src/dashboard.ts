import {
  type AnnotationQuery,
  type Dashboard,
  DashboardCursorSync,
  type DashboardLink,
  type Panel,
  type RowPanel,
  VariableHide,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/schema';
import { settingsSchema } from '../../src/rules/settings.ts';
import { dataSource, type Link, placeholder, quoted, type UnplacedPanel } from './panel.ts';
import { firing, type selectedAccount, type selectedAccounts } from './query.ts';
import { colours } from './theme.ts';

/** Grafana's older dashboard schema as of 10.4, which every later version migrates upwards by itself. */
const schemaVersion = 39;

/** The names by which dashboards, alerts and bookmarks find each other: they never change. */
export type DashboardUid = 'hosting-fleet' | 'hosting-account' | 'hosting-workload' | 'hosting-exporter';

/** What is sharedParameters from one dashboard to the next whatever the reader does. */
const sharedParameters = `${placeholder('datasource:queryparam')}&${placeholder('job:queryparam')}`;

/** The address of a dashboard, or of one panel on it, for links inside panels; the time goes with the reader. */
export function dashboardUrl(
  uid: DashboardUid,
  more: { readonly account?: string; readonly panel?: number } = {},
): string {
  const account = more.account === undefined ? '' : `&var-account=${more.account}`;
  const panel = more.panel === undefined ? '' : `&viewPanel=${more.panel}`;
  return `/d/${uid}?${sharedParameters}${account}${panel}&${placeholder('__url_time_range')}`;
}

/** A panel with its place: its id never changes, width and height are in Grafana's units (24 across). */
export interface Tile {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly panel: UnplacedPanel;
}

/** Tiles from left to right, wrapped at 24; the first section has no head. */
export interface Section {
  readonly row?: { readonly id: number; readonly title: string; readonly collapsed?: boolean };
  readonly tiles: readonly Tile[];
}

/** Says which panel stands where. */
export function tile(id: number, width: number, height: number, panel: UnplacedPanel): Tile {
  return { id, width, height, panel };
}

/** What one dashboard has of its own. */
export interface DashboardSpec {
  readonly uid: DashboardUid;
  readonly title: string;
  readonly description: string;
  /** How far back it looks when opened, such as now-7d. */
  readonly from: string;
  readonly variables: readonly VariableModel[];
  readonly links: readonly DashboardLink[];
  readonly sections: readonly Section[];
  readonly scope: typeof selectedAccounts | typeof selectedAccount;
}

/** The dashboard as Grafana imports it. */
export function dashboard(spec: DashboardSpec): Dashboard {
  return {
    uid: spec.uid,
    title: spec.title,
    description: spec.description,
    tags: ['hosting-account-exporter'],
    schemaVersion,
    editable: false,
    graphTooltip: DashboardCursorSync.Crosshair,
    refresh: '1m',
    time: { from: spec.from, to: 'now' },
    timezone: '',
    links: [...spec.links],
    templating: { list: [dataSourceVariable, jobVariable, ...spec.variables] },
    annotations: { list: annotations(spec.scope) },
    panels: placed(spec.sections),
  };
}

function placed(sections: readonly Section[]): (Panel | RowPanel)[] {
  let top = 0;
  return sections.flatMap(({ row, tiles }): (Panel | RowPanel)[] => {
    const rowTop = top;
    let left = 0;
    let y = row === undefined ? top : top + 1;
    let lineHeight = 0;
    const panels = tiles.map(({ id, width, height, panel }): Panel => {
      if (left + width > 24) {
        y += lineHeight;
        left = 0;
        lineHeight = 0;
      }
      const gridPos = { x: left, y, w: width, h: height };
      left += width;
      lineHeight = Math.max(lineHeight, height);
      return { id, ...panel, gridPos };
    });
    top = y + lineHeight;
    if (row === undefined) {
      return panels;
    }
    const collapsed = row.collapsed ?? false;
    if (collapsed) {
      top = rowTop + 1;
    }
    const head: RowPanel = {
      id: row.id,
      type: 'row',
      title: row.title,
      collapsed,
      gridPos: { x: 0, y: rowTop, w: 24, h: 1 },
      panels: collapsed ? panels : [],
    };
    return collapsed ? [head] : [head, ...panels];
  });
}

const dataSourceVariable: VariableModel = {
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
  hide: VariableHide.dontHide,
  includeAll: false,
  multi: false,
  options: [],
  refresh: VariableRefresh.onDashboardLoad,
  regex: '',
};

function queryVariable(
  name: string,
  label: string,
  expression: string,
  many: boolean,
  allValue?: string,
): VariableModel {
  const variable = {
    name,
    label,
    type: 'query' as const,
    datasource: dataSource,
    definition: expression,
    query: { query: expression, refId: `variable-${name}` },
    refresh: VariableRefresh.onTimeRangeChanged,
    sort: VariableSort.naturalAsc,
    regex: '',
    hide: VariableHide.dontHide,
    options: [],
    multi: many,
    includeAll: many,
    ...(allValue !== undefined && { allValue }),
    ...(many && { current: { text: 'All', value: '$__all' } }),
  };
  return variable;
}

/** "All" is every job of an exporter by name: `up` and the figures of processes are there for other jobs, too. */
const jobVariable = queryVariable('job', 'Job', 'label_values(hosting_up, job)', true);

/** All accounts, or some; `hosting_up` is there for every configured account, whether it answers or not. */
export const accountsVariable = queryVariable(
  'account',
  'Account',
  'label_values(hosting_up{job=~"$job"}, account)',
  true,
  '.+',
);

/** Exactly one account. */
export const accountVariable = queryVariable(
  'account',
  'Account',
  'label_values(hosting_up{job=~"$job"}, account)',
  false,
);

/** A link at the head of the dashboard. */
export function dashboardLink(title: string, tooltip: string, uid: DashboardUid): DashboardLink {
  return {
    title,
    tooltip,
    type: 'link',
    url: `/d/${uid}?${sharedParameters}`,
    icon: 'dashboard',
    tags: [],
    asDropdown: false,
    targetBlank: false,
    includeVars: false,
    keepTime: true,
  };
}

/** Encoded by name: of itself Grafana leaves & and # in an address as they are. */
const rowAccountParameter = placeholder('__data.fields.account:percentencode');
const seriesAccountParameter = placeholder('__field.labels.account:percentencode');
const selectedAccountParameter = placeholder('account:percentencode');

/** A link inside a panel to the account of the row. */
export const rowAccountLink: Link = accountLink(rowAccountParameter);

/** A link inside a panel to the account of the series. */
export const seriesAccountLink: Link = accountLink(seriesAccountParameter);

function accountLink(account: string): Link {
  return { title: 'Open the account', url: dashboardUrl('hosting-account', { account }) };
}

/** A link from a row to one panel of its account. */
export function rowPanelLink(title: string, panel: number): Link {
  return { title, url: dashboardUrl('hosting-account', { account: rowAccountParameter, panel }) };
}

/** A link to the alerts of the chosen account, which stand far below their count. */
export const accountAlertsLink: Link = {
  title: 'Firing alerts',
  url: dashboardUrl('hosting-account', { account: selectedAccountParameter, panel: 24 }),
};

/** Links to the polls of the account of the row, and of the chosen one. */
export const rowPollsLink: Link = pollsLink(rowAccountParameter);
export const accountPollsLink: Link = pollsLink(selectedAccountParameter);

function pollsLink(account: string): Link {
  return { title: 'Polls of the account', url: dashboardUrl('hosting-exporter', { account }) };
}

/** A link to what to do about the alert of the row. */
export const runbookLink: Link = {
  title: 'What to do',
  url: `${settingsSchema.parse({}).runbookBaseUrl}/${placeholder('__data.fields.alertname:percentencode')}.md`,
  targetBlank: true,
};

/** A link to the polls of all. */
export const exporterLink: Link = { title: 'Open the exporter', url: dashboardUrl('hosting-exporter') };

function annotations(scope: typeof selectedAccounts): AnnotationQuery[] {
  return [
    {
      builtIn: 1,
      datasource: { type: 'grafana', uid: '-- Grafana --' },
      enable: true,
      hide: true,
      iconColor: 'rgba(0, 211, 255, 1)',
      name: 'Annotations & Alerts',
      type: 'dashboard',
    },
    alertAnnotation('Critical alerts', 'critical', colours.critical, scope),
    alertAnnotation('Warnings', 'warning', colours.warning, scope),
  ];
}

function alertAnnotation(
  name: string,
  severity: string,
  iconColor: string,
  scope: typeof selectedAccounts,
): AnnotationQuery {
  const query = {
    name,
    datasource: dataSource,
    enable: true,
    hide: false,
    iconColor,
    expr: quoted(firing(scope, `severity="${severity}"`)),
    step: '60s',
    titleFormat: '{{alertname}}',
    textFormat: '{{account}} {{collector}} {{domain}} {{site}} {{database}}',
    tagKeys: 'severity,account',
    useValueForTime: false,
  };
  return query;
}
