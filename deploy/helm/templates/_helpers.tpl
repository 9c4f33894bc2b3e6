{{- define "exporter.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "exporter.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "exporter.labels" -}}
{{ include "exporter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "exporter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "exporter.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "exporter.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The names of the Secrets with the passwords, separated by spaces; empty if there are none. */}}
{{- define "exporter.secretNames" -}}
{{- if .Values.secret.existing -}}
{{- kindIs "string" .Values.secret.existing | ternary (list .Values.secret.existing) .Values.secret.existing | join " " -}}
{{- else if .Values.secret.passwords -}}
{{- include "exporter.fullname" . -}}
{{- end -}}
{{- end -}}

{{/* The headless Service, which gives each pod a name. Its name must never change. */}}
{{- define "exporter.podsService" -}}
{{- include "exporter.fullname" . }}-pods
{{- end -}}

{{- define "exporter.monitorEndpoint" -}}
port: http-metrics
interval: {{ .interval }}
scrapeTimeout: {{ .scrapeTimeout }}
relabelings:
  # The alert rules and dashboards expect this job name.
  - targetLabel: job
    replacement: hosting
  # If the operator runs several shards of Prometheus, a pod stays with its shard when its address changes.
  - sourceLabels: [__meta_kubernetes_pod_name]
    targetLabel: __tmp_hash
{{- with .endpoint.relabelings }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- with omit .endpoint "relabelings" }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* A quantity such as 1Gi in Mi, to compare it with 1024Mi. Other quantities stay as they are. */}}
{{- define "exporter.mebibytes" -}}
{{- $quantity := toString . -}}
{{- if hasSuffix "Ti" $quantity -}}{{ mul (trimSuffix "Ti" $quantity | int64) 1048576 }}Mi
{{- else if hasSuffix "Gi" $quantity -}}{{ mul (trimSuffix "Gi" $quantity | int64) 1024 }}Mi
{{- else -}}{{ $quantity }}
{{- end -}}
{{- end -}}

{{/*
Refuses values with which no exporter can run, and updates that Kubernetes would refuse or that would poll accounts twice.
`lookup` finds nothing where Helm only renders, such as in Argo CD.
*/}}
{{- define "exporter.validate" -}}
{{- range list
    "config" "image" "secret" "webConfig" "state" "log" "service" "serviceMonitor" "podMonitor" "prometheusRule" "dashboards"
    "networkPolicy" "podDisruptionBudget" "serviceAccount" "resources" "podSecurityContext" "securityContext" "updateStrategy"
    "shards" "stopped" "state.size" "log.level" "log.format" "image.repository" "service.port" "serviceMonitor.endpoint"
    "podMonitor.endpoint" "dashboards.languages" "prometheusRule.language" "podDisruptionBudget.maxUnavailable"
    "networkPolicy.prometheusNamespaces" "networkPolicy.dnsPorts" "networkPolicy.apiCidrs" "networkPolicy.apiPorts"
}}
{{- $value := $.Values }}
{{- range splitList "." . }}{{ $value = index $value . }}{{ end }}
{{- if kindIs "invalid" $value }}
{{- fail (printf "%s must not be null: remove it from your values for its default, or set it" .) }}
{{- end }}
{{- end }}
{{- if and .Values.secret.existing .Values.secret.passwords }}
{{- fail "set either secret.existing or secret.passwords, not both" }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled .Values.podMonitor.enabled }}
{{- fail "enable either serviceMonitor or podMonitor: with both, every series exists twice" }}
{{- end }}
{{- $name := include "exporter.fullname" . }}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace $name }}
{{- $count := 0 }}
{{- range (index .spec.template.spec.containers 0).env }}{{ if eq .name "SHARD_COUNT" }}{{ $count = int .value }}{{ end }}{{ end }}
{{- $wait := printf "`kubectl --namespace=%s wait --for=delete pod --selector=app.kubernetes.io/instance=%s`" $.Release.Namespace $.Release.Name }}
{{- if and .status.replicas (not $.Values.stopped) (ne $count (int $.Values.shards)) }}
{{- fail (printf "shards is %d, but pods of %d shards run: both would poll the same accounts. Upgrade with --set=stopped=true first. When all pods have ended (%s), upgrade without it" (int $.Values.shards) $count $wait) }}
{{- end }}
{{- if and .status.replicas (not $.Values.stopped) (eq (int .spec.replicas) 0) }}
{{- fail (printf "%d of the pods that were stopped have not ended yet: wait for them (%s), then upgrade again" (int .status.replicas) $wait) }}
{{- end }}
{{- $recreate := printf "Run `kubectl --namespace=%s delete statefulset %s --cascade=orphan`, which keeps the pods and their claims, then upgrade again; it replaces one pod after the other" $.Release.Namespace $name }}
{{- $claims := .spec.volumeClaimTemplates | default list }}
{{- if ne (gt (len $claims) 0) $.Values.state.persistent }}
{{- fail (printf "Kubernetes cannot change state.persistent of a StatefulSet. %s" $recreate) }}
{{- end }}
{{- range $claims }}
{{- if ne (.spec.storageClassName | default "") $.Values.state.storageClass }}
{{- fail (printf "Kubernetes cannot change state.storageClass of a StatefulSet. Existing claims keep their class: delete the claim of each pod first if figures may be lost. %s" $recreate) }}
{{- end }}
{{- if ne (include "exporter.mebibytes" .spec.resources.requests.storage) (include "exporter.mebibytes" $.Values.state.size) }}
{{- fail (printf "Kubernetes cannot change state.size of a StatefulSet. To enlarge existing claims, if their class allows it, run `kubectl --namespace=%s patch pvc state-%s-0 --patch='{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}'` for each pod. %s" $.Release.Namespace $name $.Values.state.size $recreate) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
