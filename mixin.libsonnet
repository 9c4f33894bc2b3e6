// The rules and dashboards of the bundle as a monitoring mixin: https://monitoring.mixins.dev
//
// Thresholds are configuration of the exporter. For everything that the rules contain, such as `for`, edit or patch the rules.
{
  _config+:: {
    // Labels of the series of the exporters, as in a PromQL selector. One of them is `job`.
    selector: 'job="hosting"',
    // Language of the texts: en or ru.
    language: 'en',
    // Address of Grafana, for the links of the alerts to the dashboards.
    dashboardBaseUrl: '',
  },

  local config = $._config,
  local files = {
    en: {
      rules: importstr 'alerts/hosting.rules.yml',
      dashboards: {
        'hosting-account.json': import 'dashboards/hosting-account.json',
        'hosting-exporter.json': import 'dashboards/hosting-exporter.json',
        'hosting-fleet.json': import 'dashboards/hosting-fleet.json',
        'hosting-workload.json': import 'dashboards/hosting-workload.json',
      },
    },
    ru: {
      rules: importstr 'alerts/hosting.rules.ru.yml',
      dashboards: {
        'hosting-account.json': import 'dashboards/hosting-account-ru.json',
        'hosting-exporter.json': import 'dashboards/hosting-exporter-ru.json',
        'hosting-fleet.json': import 'dashboards/hosting-fleet-ru.json',
        'hosting-workload.json': import 'dashboards/hosting-workload-ru.json',
      },
    },
  }[config.language],

  local linked(rule) =
    if std.objectHas(rule, 'alert')
    then rule { annotations+: { dashboard_url: config.dashboardBaseUrl + super.dashboard_url } }
    else rule,

  // Recording rules are here too, because alerts read what an earlier rule of their group records.
  prometheusAlerts+:: {
    groups+: [
      group { rules: std.map(linked, group.rules) }
      for group in std.parseYaml(std.strReplace(files.rules, 'job="hosting"', config.selector)).groups
    ],
  },

  prometheusRules+:: { groups+: [] },

  grafanaDashboards+:: files.dashboards,
}
