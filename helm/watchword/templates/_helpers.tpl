{{- define "watchword.fullname" -}}
{{- if contains "watchword" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-watchword" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "watchword.selector" -}}
app.kubernetes.io/name: watchword
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "watchword.labels" -}}
{{ include "watchword.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "watchword.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "watchword.secretName" -}}
{{- .Values.secrets.existing | default (printf "%s-secrets" (include "watchword.fullname" .)) }}
{{- end }}

{{/* Every service: its ports, the secrets it reads, and whom it calls. */}}
{{- define "watchword.services" -}}
gateway:
  ports: { http: 8300, metrics: 8310 }
  secrets: [BILLING_RPC_SECRET, DISPATCH_RPC_SECRET, WEBHOOKS_RPC_SECRET, CALLBACK_SECRET, OPERATOR_TOKEN]
billing:
  ports: { rpc: 8301, metrics: 8311 }
  secrets: [BILLING_RPC_SECRET, ENCRYPTION_KEYS]
dispatch:
  ports: { rpc: 8302, metrics: 8312 }
  secrets: [DISPATCH_RPC_SECRET, CALLBACK_SECRET, PEPPER, ENCRYPTION_KEYS]
webhooks:
  ports: { rpc: 8303, metrics: 8313 }
  secrets: [WEBHOOKS_RPC_SECRET, ENCRYPTION_KEYS]
{{- end }}

{{- define "watchword.madeSecrets" -}}
[GATEWAY_DATABASE_PASSWORD, BILLING_DATABASE_PASSWORD, DISPATCH_DATABASE_PASSWORD, WEBHOOKS_DATABASE_PASSWORD,
 BILLING_RPC_SECRET, DISPATCH_RPC_SECRET, WEBHOOKS_RPC_SECRET, ENCRYPTION_KEYS, PEPPER, CALLBACK_SECRET, OPERATOR_TOKEN]
{{- end }}

{{- define "watchword.fromSecret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key | default .name }} } }
{{- end }}

{{- define "watchword.kafkaEnv" -}}
- name: KAFKA_BROKERS
  value: {{ required "kafka.brokers: name at least one broker, for example kafka:9092." (join "," .root.Values.kafka.brokers) | quote }}
- name: KAFKA_TLS
  value: {{ ternary "on" "off" .root.Values.kafka.tls | quote }}
- name: KAFKA_SASL_MECHANISM
  value: {{ .root.Values.kafka.sasl.mechanism | quote }}
{{- if ne .root.Values.kafka.sasl.mechanism "none" }}
- name: KAFKA_USERNAME
  value: {{ .user }}
{{ include "watchword.fromSecret" (dict "name" "KAFKA_PASSWORD" "key" .user "secret" (required "kafka.sasl.secretName: name the secret with the password of each Kafka user." .root.Values.kafka.sasl.secretName)) }}
{{- end }}
{{- end }}

{{- define "watchword.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "watchword.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "watchword.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}
