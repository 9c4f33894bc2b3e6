# Checks the rules with pint (https://cloudflare.github.io/pint/):
#
#   pint --offline --config alerts/pint.hcl lint alerts/hosting.rules.yml

checks {
  # Prometheus evaluates groups independently, so a record of another group can be one interval old. An alert then starts or
  # ends one interval later.
  disabled = ["rule/dependency"]
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
