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
import { collectors } from '../../src/collectors/list.ts';
import { publishedRunbooks } from '../../src/rules/derive.ts';
import { dataSource, type Link } from './panel.ts';
import { firing, placeholder, quoted } from './query.ts';
import { colours } from './theme.ts';

/** The dashboard schema of Grafana 10.4. Later versions migrate it automatically. */
const schemaVersion = 39;

/** Titles and tooltips of the links between dashboards, by uid. Never change a uid: links, alerts and bookmarks contain it. */
const dashboards = {
  'hosting-fleet': ['Fleet', 'All accounts'],
  'hosting-account': ['Account', 'One account: disk, load, billing and inventory'],
  'hosting-workload': ['Sites and databases', 'Top sites and databases of all accounts'],
  'hosting-exporter': ['Exporter', 'Data freshness and API failures'],
} as const;

type DashboardUid = keyof typeof dashboards;

/** A row of the dashboard. Its panels are placed from left to right and wrap at 24 units. The first section has no title. */
export interface Section {
  readonly row?: { readonly id: number; readonly title: string; readonly collapsed?: boolean };
  readonly panels: readonly Panel[];
}

interface DashboardSpec {
  readonly uid: DashboardUid;
  readonly title: string;
  readonly description: string;
  /** Default start of the time range, such as now-7d. */
  readonly from: string;
  /** The refresh interval as a Prometheus duration. The figures do not change more often than this. */
  readonly refresh: string;
  readonly variables: readonly VariableModel[];
  readonly sections: readonly Section[];
}

/** Builds the dashboard JSON that Grafana imports. */
export function dashboard(spec: DashboardSpec): Dashboard {
  return {
    uid: spec.uid,
    title: spec.title,
    description: spec.description,
    tags: ['hosting-account-exporter'],
    schemaVersion,
    editable: true,
    graphTooltip: DashboardCursorSync.Crosshair,
    refresh: spec.refresh,
    time: { from: spec.from, to: 'now' },
    timezone: '',
    links: linksFrom(spec.uid),
    templating: { list: [dataSourceVariable, jobVariable, ...spec.variables] },
    annotations: { list: annotations },
    panels: placed(spec.sections),
  };
}

/** The default poll interval of a collector as a Prometheus duration. */
export function scheduleOf(name: string): string {
  const found = collectors.find((collector) => collector.name === name);
  if (found === undefined) throw new Error(`No collector ${name}`);
  return found.schedule;
}

function placed(sections: readonly Section[]): (Panel | RowPanel)[] {
  let top = 0;
  return sections.flatMap(({ row, panels }): (Panel | RowPanel)[] => {
    const rowTop = top;
    let left = 0;
    let y = row === undefined ? top : top + 1;
    let lineHeight = 0;
    const positioned = panels.map((panel): Panel => {
      const { w, h } = panel.gridPos ?? { w: 24, h: 1 };
      if (left + w > 24) {
        y += lineHeight;
        left = 0;
        lineHeight = 0;
      }
      const gridPos = { x: left, y, w, h };
      left += w;
      lineHeight = Math.max(lineHeight, h);
      return { ...panel, gridPos };
    });
    top = y + lineHeight;
    if (row === undefined) return positioned;
    const { id, title, collapsed = false } = row;
    if (collapsed) top = rowTop + 1;
    const gridPos = { x: 0, y: rowTop, w: 24, h: 1 };
    const head: RowPanel = { id, type: 'row', title, collapsed, gridPos, panels: collapsed ? positioned : [] };
    return collapsed ? [head] : [head, ...positioned];
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

function queryVariable(name: string, label: string, expression: string, more: Partial<VariableModel>): VariableModel {
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
    multi: false,
    includeAll: false,
    ...more,
  };
  return variable;
}

const several = { multi: true, includeAll: true, current: { text: 'All', value: '$__all' } };

/** The selected jobs. There is no `allValue`, so "All" selects only jobs of exporters. Jobs of other programs also have the metric `up`. */
const jobVariable = queryVariable('job', 'Job', 'label_values(hosting_up, job)', several);

/** `hosting_up` exists for every configured account, even if the API does not answer. */
const accountNames = 'label_values(hosting_up{job=~"$job"}, account)';

/** The selected accounts. */
export const accountsVariable = queryVariable('account', 'Account', accountNames, { ...several, allValue: '.+' });

/** The selected account. */
export const accountVariable = queryVariable('account', 'Account', accountNames, {});

/** The configured label that groups accounts, without the prefix `label_`. */
export const groupVariable = queryVariable('label', 'Group by', 'label_names(hosting_account_labels{job=~"$job"})', {
  regex: '/^label_(.+)$/',
});

/** URL parameters that every link between dashboards keeps. */
const sharedParameters = `${placeholder('datasource:queryparam')}&${placeholder('job:queryparam')}`;

function linksFrom(uid: DashboardUid): DashboardLink[] {
  return Object.entries(dashboards)
    .filter(([target]) => target !== uid)
    .map(([target, [title, tooltip]]) => ({
      title,
      tooltip,
      type: 'link',
      url: `/d/${target}?${sharedParameters}`,
      icon: 'dashboard',
      tags: [],
      asDropdown: false,
      targetBlank: false,
      includeVars: false,
      keepTime: true,
    }));
}

/** A link to a dashboard or to one of its panels, for use in panels. Keeps the time range. `account`: the name of a Grafana variable. */
function linkTo(title: string, uid: DashboardUid, account?: string, panel?: number): Link {
  // Grafana does not encode & and # in URLs.
  const selected = account === undefined ? '' : `&var-account=${placeholder(`${account}:percentencode`)}`;
  const view = panel === undefined ? '' : `&viewPanel=${panel}`;
  return { title, url: `/d/${uid}?${sharedParameters}${selected}${view}&${placeholder('__url_time_range')}` };
}

const accountOfRow = '__data.fields.account';

/** Links of panels. A link whose name starts with `row` leads to the account in a table row. */
export const links = {
  rowAccount: linkTo('Open account', 'hosting-account', accountOfRow),
  seriesAccount: linkTo('Open account', 'hosting-account', '__field.labels.account'),
  rowUsage: linkTo('Usage and quota', 'hosting-account', accountOfRow, 10),
  rowLoad: linkTo('Load', 'hosting-account', accountOfRow, 15),
  rowPolls: linkTo('Open account polls', 'hosting-exporter', accountOfRow),
  accountPolls: linkTo('Open account polls', 'hosting-exporter', 'account'),
  accountAlerts: linkTo('Firing alerts', 'hosting-account', 'account', 24),
  exporter: linkTo('Open exporter dashboard', 'hosting-exporter'),
  runbook: {
    title: 'Open runbook',
    url: `${publishedRunbooks}/${placeholder('__data.fields.alertname:percentencode')}.md`,
    targetBlank: true,
  },
} as const satisfies Readonly<Record<string, Link>>;

const annotations: AnnotationQuery[] = [
  {
    builtIn: 1,
    datasource: { type: 'grafana', uid: '-- Grafana --' },
    enable: true,
    hide: true,
    iconColor: 'rgba(0, 211, 255, 1)',
    name: 'Annotations & Alerts',
    type: 'dashboard',
  },
  alertAnnotation('Critical alerts', 'critical', colours.critical),
  alertAnnotation('Warning alerts', 'warning', colours.warning),
];

function alertAnnotation(name: string, severity: string, iconColor: string): AnnotationQuery {
  const query = {
    name,
    datasource: dataSource,
    enable: true,
    hide: false,
    iconColor,
    expr: quoted(firing(`severity="${severity}"`)),
    step: '60s',
    titleFormat: '{{alertname}}',
    textFormat: '{{account}} {{collector}} {{domain}} {{site}} {{database}}',
    tagKeys: 'severity,account',
    useValueForTime: false,
  };
  return query;
}
