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
import { publishedRunbooks } from '../../src/rules/derive.ts';
import { dataSource, type Link, placeholder, quoted, type UnplacedPanel } from './panel.ts';
import { firing, type selectedAccount, type selectedAccounts } from './query.ts';
import { colours } from './theme.ts';

/** The dashboard schema of Grafana 10.4. Later versions migrate it automatically. */
const schemaVersion = 39;

/** Uids of the dashboards. Never change a uid: links, alerts and bookmarks contain it. */
export type DashboardUid = 'hosting-fleet' | 'hosting-account' | 'hosting-workload' | 'hosting-exporter';

/** URL parameters that every link between dashboards keeps. */
const sharedParameters = `${placeholder('datasource:queryparam')}&${placeholder('job:queryparam')}`;

/** URL of a dashboard, or of one of its panels, for links inside panels. Keeps the time range. */
export function dashboardUrl(
  uid: DashboardUid,
  more: { readonly account?: string; readonly panel?: number } = {},
): string {
  const account = more.account === undefined ? '' : `&var-account=${more.account}`;
  const panel = more.panel === undefined ? '' : `&viewPanel=${more.panel}`;
  return `/d/${uid}?${sharedParameters}${account}${panel}&${placeholder('__url_time_range')}`;
}

/** A panel with its permanent id and its size in Grafana's grid units (24 across). */
export interface Tile {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly panel: UnplacedPanel;
}

/** A row of the dashboard. Its tiles are placed from left to right and wrap at 24 units. The first section has no title. */
export interface Section {
  readonly row?: { readonly id: number; readonly title: string; readonly collapsed?: boolean };
  readonly tiles: readonly Tile[];
}

/** Gives a panel its id and size. */
export function tile(id: number, width: number, height: number, panel: UnplacedPanel): Tile {
  return { id, width, height, panel };
}

/** The properties that differ between dashboards. */
export interface DashboardSpec {
  readonly uid: DashboardUid;
  readonly title: string;
  readonly description: string;
  /** Default start of the time range, such as now-7d. */
  readonly from: string;
  /** The refresh interval as a Prometheus duration. The figures do not change more often. */
  readonly refresh: string;
  readonly variables: readonly VariableModel[];
  readonly links: readonly DashboardLink[];
  readonly sections: readonly Section[];
  readonly scope: typeof selectedAccounts | typeof selectedAccount;
}

/** Builds the dashboard JSON that Grafana imports. */
export function dashboard(spec: DashboardSpec): Dashboard {
  return {
    uid: spec.uid,
    title: spec.title,
    description: spec.description,
    tags: ['hosting-account-exporter'],
    schemaVersion,
    editable: false,
    graphTooltip: DashboardCursorSync.Crosshair,
    refresh: spec.refresh,
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

/** The selected jobs. Without `allValue`, "All" selects only jobs of exporters. Other jobs also have `up` and process metrics. */
const jobVariable = queryVariable('job', 'Job', 'label_values(hosting_up, job)', true);

/** The selected accounts. `hosting_up` exists for every configured account, even if the API does not answer. */
export const accountsVariable = queryVariable(
  'account',
  'Account',
  'label_values(hosting_up{job=~"$job"}, account)',
  true,
  '.+',
);

/** The configured label that groups accounts, without the prefix `label_`. */
export const groupVariable: VariableModel = {
  ...queryVariable('label', 'Group by', 'label_names(hosting_account_labels{job=~"$job"})', false),
  regex: '/^label_(.+)$/',
};

/** The selected account. */
export const accountVariable = queryVariable(
  'account',
  'Account',
  'label_values(hosting_up{job=~"$job"}, account)',
  false,
);

/** A link at the top of the dashboard. */
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

/** Percent-encodes the account name, because Grafana does not encode & and # in URLs. */
const rowAccountParameter = placeholder('__data.fields.account:percentencode');
const seriesAccountParameter = placeholder('__field.labels.account:percentencode');
const selectedAccountParameter = placeholder('account:percentencode');

/** Links a table row to its account. */
export const rowAccountLink: Link = accountLink(rowAccountParameter);

/** Links a series to its account. */
export const seriesAccountLink: Link = accountLink(seriesAccountParameter);

function accountLink(account: string): Link {
  return { title: 'Open account', url: dashboardUrl('hosting-account', { account }) };
}

/** Links a table row to one panel of its account. */
export function rowPanelLink(title: string, panel: number): Link {
  return { title, url: dashboardUrl('hosting-account', { account: rowAccountParameter, panel }) };
}

/** Links the number of alerts of the selected account to the list of its alerts. */
export const accountAlertsLink: Link = {
  title: 'Firing alerts',
  url: dashboardUrl('hosting-account', { account: selectedAccountParameter, panel: 24 }),
};

/** Links a table row to the polls of its account. */
export const rowPollsLink: Link = pollsLink(rowAccountParameter);
/** Links the selected account to its polls. */
export const accountPollsLink: Link = pollsLink(selectedAccountParameter);

function pollsLink(account: string): Link {
  return { title: 'Open account polls', url: dashboardUrl('hosting-exporter', { account }) };
}

/** Links an alert to its runbook. */
export const runbookLink: Link = {
  title: 'Open runbook',
  url: `${publishedRunbooks}/${placeholder('__data.fields.alertname:percentencode')}.md`,
  targetBlank: true,
};

/** Links to the Exporter dashboard with all accounts. */
export const exporterLink: Link = { title: 'Open exporter dashboard', url: dashboardUrl('hosting-exporter') };

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
    alertAnnotation('Warning alerts', 'warning', colours.warning, scope),
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
