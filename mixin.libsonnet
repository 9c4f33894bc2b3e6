// The rules and dashboards of the bundle as a monitoring mixin: https://monitoring.mixins.dev
//
// The rules are the generated files of the folder alerts. Settings that change more than names and numbers, such as `for`, need
// `hosting-account-exporter rules` instead.
{
  _config+:: {
    // Labels of the series of the exporters, as in a PromQL selector. One of them is `job`.
    selector: 'job="hosting"',
    // Language of the texts: en or ru.
    language: 'en',
    // Thresholds by alert and severity, such as { HostingDiskAlmostFull: { warning: 0.8 } }.
    thresholds: {},
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

  local selected(text) = std.strReplace(text, 'job="hosting"', config.selector),

  // The record of a default threshold ends with: or, a line break, and `0.95 * group without () (…)`.
  local withThreshold(rule, value) = rule {
    expr:
      local parts = std.split(rule.expr, '\nor\n');
      local last = std.split(parts[1], ' * group');
      '%s\nor\n%.10g * group%s' % [parts[0], value, last[1]],
  },

  local isThreshold(rule) = std.get(rule, 'record') == 'account:hosting_alert_threshold:fire',

  local configured(rule) =
    local named = rule { expr: selected(rule.expr) };
    if isThreshold(rule) && std.objectHas(std.get(config.thresholds, rule.labels.alert, {}), rule.labels.severity)
    then withThreshold(named, config.thresholds[rule.labels.alert][rule.labels.severity])
    else if std.objectHas(rule, 'alert') then named {
      annotations+: {
        description: selected(rule.annotations.description),
        dashboard_url: config.dashboardBaseUrl + rule.annotations.dashboard_url,
      },
    }
    else named,

  local groups = std.parseYaml(files.rules).groups,
  local thresholdsOf(alert) = std.set([rule.labels.severity for group in groups for rule in group.rules if isThreshold(rule) && rule.labels.alert == alert]),

  // Recording rules are here too, because alerts read what an earlier rule of their group records.
  prometheusAlerts+:: {
    assert std.all([
      std.setMember(severity, thresholdsOf(alert))
      for alert in std.objectFields(config.thresholds)
      for severity in std.objectFields(config.thresholds[alert])
    ]) : 'thresholds contains an alert or severity without a threshold of its own',
    groups+: [group { rules: std.map(configured, group.rules) } for group in groups],
  },

  prometheusRules+:: { groups+: [] },

  grafanaDashboards+:: files.dashboards,
}
