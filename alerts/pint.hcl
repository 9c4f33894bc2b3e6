# Checks the rules with pint (https://cloudflare.github.io/pint/):
#
#   pint --offline --config alerts/pint.hcl lint alerts/hosting.rules.yml

checks {
  # rule/dependency: Prometheus evaluates groups independently, so a record of another group can be one interval old. An alert then
  # starts or ends one interval later.
  # group/interval: groups with an interval above five minutes have no alerts, and other rules read their records over an hour.
  # promql/regexp: Hosting.+ selects the alerts of this file.
  disabled = ["rule/dependency", "group/interval", "promql/regexp"]
}

rule {
  match {
    kind = "alerting"
  }
  label "severity" {
    value    = "critical|warning|info"
    required = true
    severity = "bug"
  }
  annotation "summary" {
    required = true
    severity = "bug"
  }
  annotation "description" {
    required = true
    severity = "bug"
  }
  annotation "runbook_url" {
    value    = "https://.+/docs/runbooks/.+"
    required = true
    severity = "bug"
  }
}

rule {
  match {
    name = "HostingDiskAlmostFull|HostingPermissionMissing"
  }
  # The condition of these alerts is in the records that they select.
  disable = ["alerts/comparison"]
}
