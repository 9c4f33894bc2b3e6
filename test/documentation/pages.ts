/** Pages whose readers start with an empty folder. */
export const firstPages: readonly string[] = [
  'README.md',
  'docs/getting-started.md',
  'docs/installation.md',
  'docs/small-server.md',
];

/** Pages whose readers have installed the exporter. They start in a clone with a configuration of one account. */
export const laterPages: readonly string[] = [
  'docs/alerts.md',
  'docs/dashboards.md',
  'docs/state.md',
  'docs/project/recordings.md',
  'docs/scaling.md',
  'docs/security.md',
  'docs/upgrade.md',
];

/** Pages on which no command can run here, each with the reason. The commands of runbooks need a running exporter. */
export const otherPages: Readonly<Record<string, string>> = {
  'docs/beyond-the-api.md': 'has scripts, which npm test runs',
  'docs/project/performance.md': 'measures for ten minutes',
  'docs/project/releasing.md': 'publishes a release',
  'docs/without-prometheus.md': 'needs certificates of a public host, vmagent, or an account of Grafana Cloud',
};
