import type { Panel } from '@grafana/schema';
import { links } from './dashboard.ts';
import { stat, table } from './panel.ts';
import { firing, firingOnce, merged, type Query } from './query.ts';
import { countLooks, counts, judged, severityNumbers, severityTexts } from './state.ts';
import { colours, valueTexts } from './theme.ts';

interface AlertsSpec {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly description: string;
}

/** The number of firing alerts by severity. */
export function alertsStat(spec: AlertsSpec, ...matchers: readonly string[]): Panel {
  const any = `${judged} or ${firing(...matchers)}`;
  return stat({
    ...spec,
    title: 'Alerts',
    queries: [counts(firingOnce('critical', ...matchers), firingOnce('warning', ...matchers), any)],
    looks: countLooks,
    unit: 'count',
    noValue: 'not evaluated yet',
    ...(matchers.length > 0 && { link: links.accountAlerts }),
  });
}

const labels = 'by (alertname, account, what)';

/** Adds the label `what`: the site, database or other thing that an alert is about. */
function withSubject(expression: string): string {
  return `label_join(${expression}, "what", "", "collector", "kind", "domain", "site", "database", "instance")`;
}

/** The highest severity of each firing alert, and how long the alert has been active. */
export function alertsTable(spec: AlertsSpec, withAccount: boolean, ...matchers: readonly string[]): Panel {
  const severities = Object.entries(severityNumbers).map(
    ([severity, number]) =>
      `${number} * group ${labels} (${withSubject(firing(...matchers, `severity="${severity}"`))})`,
  );
  const all = firing(...matchers);
  const since = all.replace('ALERTS{', 'ALERTS_FOR_STATE{').replace('alertstate="firing",', '');
  return table({
    ...spec,
    title: 'Firing alerts',
    noValue: 'No firing alerts found.',
    queries: [
      { expr: severities.join(' or ') },
      { expr: `time() - max ${labels} (${withSubject(`(${since} and ignoring (alertstate) ${all})`)})` },
    ],
    columns: [
      { of: 'A', title: 'Severity', mappings: [severityTexts], cell: 'filled', width: 145 },
      { of: 'alertname', title: 'Alert', link: links.runbook, width: 250 },
      ...(withAccount ? [{ of: 'account', title: 'Account', link: links.rowAccount, width: 200 }] : []),
      { of: 'what', title: 'Subject' },
      { of: 'B', title: 'Duration', unit: 'duration', width: 100 },
    ],
    hide: withAccount ? [] : ['account'],
    sortBy: ['-Severity', 'Duration'],
  });
}

/**
 * Changes within a day. The value is the severity number for a new alert, the negative severity number for an ended alert, 1 for a new
 * account, and -1 for a removed account. No results if Prometheus has no data from a day ago.
 */
export function changesSinceYesterday(): readonly Query[] {
  const yesterday = 'offset 1d';
  const up = merged('hosting_up');
  const upYesterday = up.replace('}', `} ${yesterday}`);
  const alerts = (severity: 'critical' | 'warning', changed: (alerts: string) => string): string =>
    `${severityNumbers[severity]} * group ${labels} (${withSubject(changed(firing(`severity="${severity}"`)))})`;
  const either = (changed: (alerts: string) => string): string =>
    `(${alerts('critical', changed)} or ${alerts('warning', changed)}) and on () ${upYesterday}`;
  const accounts = (expression: string): string => `group by (account) (${expression})`;
  return [
    { expr: either((one) => `${one} unless ${one} ${yesterday}`) },
    { expr: `-1 * (${either((one) => `${one} ${yesterday} unless ${one}`)})` },
    {
      expr: `(${accounts(`${up} unless ${upYesterday}`)} or -1 * ${accounts(`${upYesterday} unless ${up}`)}) and on () ${upYesterday}`,
    },
  ];
}

/** Names of the values of `changesSinceYesterday`. */
export const changeTexts = valueTexts({
  3: { text: 'new: critical', color: colours.critical },
  2: { text: 'new: warning', color: colours.warningCell },
  1: 'account added',
  [-1]: 'account removed',
  [-2]: 'ended: warning',
  [-3]: 'ended: critical',
});
