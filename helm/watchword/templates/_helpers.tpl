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
 BILLING_RPC_SECRET, DISPATCH_RPC_SECRET, WEBHOOKS_RPC_SECRET, ENCRYPTION_KEYS, PEPPER, CALLBACK_SECRET, OPERATOR_TOKEN
 {{- if .Values.trialServers.enabled }},
 POSTGRES_PASSWORD,
 ADMIN_KAFKA_PASSWORD, GATEWAY_KAFKA_PASSWORD, BILLING_KAFKA_PASSWORD, DISPATCH_KAFKA_PASSWORD, WEBHOOKS_KAFKA_PASSWORD
 {{- end }}
 {{- if or .Values.trialServers.enabled .Values.redis.operator.enabled }},
 REDIS_PASSWORD
 {{- end }}
 {{- if include "watchword.playsOwnAccounts" . }},
 TWILIO_AUTH_TOKEN
 {{- end }}]
{{- end }}

{{- define "watchword.fromSecret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | default .name | quote }} } }
{{- end }}

{{/* A value of a setting as text: Helm reads numbers as floats, and prints 10000000 as 1e+07. */}}
{{- define "watchword.text" -}}
{{- if kindIs "string" . }}{{ . | quote }}{{ else }}{{ toJson . | quote }}{{ end }}
{{- end }}

{{/* A secret or config map that is there has these keys. One that is not there may come later: pods wait for it. */}}
{{- define "watchword.demandKeys" -}}
{{- $found := dict }}
{{- with .name }}{{ $found = lookup "v1" ($.kind | default "Secret") $.root.Release.Namespace . }}{{ end }}
{{- if $found }}
{{- $missing := list }}
{{- range .keys }}{{ if not (get ($found.data | default dict) .) }}{{ $missing = append $missing . }}{{ end }}{{ end }}
{{- with $missing }}
{{- fail (printf "%s: %s has no %s." $.value $.name (join ", " .)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Where PostgreSQL is, and the administrator's credential: yours, or those of the Cluster that the chart makes. */}}
{{- define "watchword.database" -}}
{{- if .Values.database.operator.enabled }}
{{- if .Values.database.host }}{{ fail "database.host: the operator's Cluster has a host of its own. Leave it empty." }}{{ end }}
{{- $cluster := printf "%s-postgres" (include "watchword.fullname" .) }}
host: {{ $cluster }}-rw
port: 5432
admin: { secret: {{ $cluster }}-app, user: username, password: password }
{{- else if .Values.trialServers.enabled }}
{{- if .Values.database.host }}{{ fail "database.host: trialServers brings a PostgreSQL of its own. Leave it empty." }}{{ end }}
host: {{ include "watchword.fullname" . }}-postgres
port: 5432
admin: { secret: {{ include "watchword.secretName" . }}, name: postgres, password: POSTGRES_PASSWORD }
{{- else }}
host: {{ required "database.host: name the host of PostgreSQL." .Values.database.host }}
port: {{ .Values.database.port }}
{{- with .Values.database.admin }}
admin: { secret: {{ required "database.admin.secretName: name the secret with the administrator's credential." .secretName | quote }}, user: {{ .usernameKey | quote }}, password: {{ .passwordKey | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* What a connection says after the name of the database. */}}
{{- define "watchword.databaseOptions" -}}
{{- if and .Values.database.tls (not .Values.trialServers.enabled) }}?sslmode=verify-full{{ end }}
{{- end }}

{{/* A JSON list, of yours or of the Kafka that the chart makes. */}}
{{- define "watchword.brokers" -}}
{{- if .Values.kafka.operator.enabled }}
{{- if .Values.kafka.brokers }}{{ fail "kafka.brokers: the operator's Kafka has addresses of its own. Leave them empty." }}{{ end }}
{{- list (printf "%s-kafka-kafka-bootstrap:9092" (include "watchword.fullname" .)) | toJson }}
{{- else if .Values.trialServers.enabled }}
{{- if .Values.kafka.brokers }}{{ fail "kafka.brokers: trialServers brings a Kafka of its own. Leave them empty." }}{{ end }}
{{- list (printf "%s-kafka:9092" (include "watchword.fullname" .)) | toJson }}
{{- else }}
{{- if not .Values.kafka.brokers }}{{ fail "kafka.brokers: name at least one broker, for example kafka:9092." }}{{ end }}
{{- toJson .Values.kafka.brokers }}
{{- end }}
{{- end }}

{{/* Strimzi names a user and its secret after the resource, whose name has no underscore. */}}
{{- define "watchword.kafkaEnv" -}}
{{- $kafka := .root.Values.kafka }}
{{- $made := $kafka.operator.enabled }}
{{- $isTrial := and .root.Values.trialServers.enabled (not $made) }}
{{- $user := ternary (printf "%s-%s" (include "watchword.fullname" .root) .user) (printf "watchword_%s" .user) $made }}
{{- $mechanism := ternary "scram-sha-512" (ternary "plain" $kafka.sasl.mechanism $isTrial) $made }}
- name: KAFKA_BROKERS
  value: {{ include "watchword.brokers" .root | fromJsonArray | join "," | quote }}
- name: KAFKA_TLS
  value: {{ ternary "on" "off" (and $kafka.tls (not $made) (not $isTrial)) | quote }}
- name: KAFKA_SASL_MECHANISM
  value: {{ $mechanism | quote }}
{{- if ne $mechanism "none" }}
- name: KAFKA_USERNAME
  value: {{ $user }}
{{- if $made }}
{{ include "watchword.fromSecret" (dict "name" "KAFKA_PASSWORD" "key" "password" "secret" $user) }}
{{- else if $isTrial }}
{{ include "watchword.fromSecret" (dict "name" "KAFKA_PASSWORD" "key" (printf "%s_KAFKA_PASSWORD" (upper .user)) "secret" (include "watchword.secretName" .root)) }}
{{- else }}
{{ include "watchword.fromSecret" (dict "name" "KAFKA_PASSWORD" "key" $user "secret" (required "kafka.sasl.secretName: name the secret with the password of each Kafka user." $kafka.sasl.secretName)) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "watchword.redisEnv" -}}
{{- $made := .Values.redis.operator.enabled }}
{{- if or $made .Values.trialServers.enabled }}
{{- if and $made .Values.redis.secretName }}{{ fail "redis.secretName: the operator's Valkey has a password of its own. Leave it empty." }}{{ end }}
{{- if .Values.redis.secretName }}{{ fail "redis.secretName: trialServers brings a Redis of its own. Leave it empty." }}{{ end }}
{{ include "watchword.fromSecret" (dict "name" "REDIS_PASSWORD" "secret" (include "watchword.secretName" .)) }}
- name: REDIS_URL
  # The operator leads <name>-rw to the server that takes writes.
  value: redis://:$(REDIS_PASSWORD)@{{ include "watchword.fullname" . }}-{{ ternary "valkey-rw" "redis" $made }}:6379
{{- else }}
{{ include "watchword.fromSecret" (dict "name" "REDIS_URL" "key" .Values.redis.urlKey "secret" (required "redis.secretName: name the secret with the URL of Redis." .Values.redis.secretName)) }}
{{- end }}
{{- end }}

{{- define "watchword.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
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
  - name: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}

{{/* Whether the simulator plays the accounts that the chart gives it. */}}
{{- define "watchword.playsOwnAccounts" -}}
{{- if and .Values.simulator.enabled (not .Values.simulator.secretName) (not .Values.carriers.accounts) }}true{{ end }}
{{- end }}

{{- define "watchword.simulatedAccountSid" -}}
AC00000000000000000000000000000000
{{- end }}

{{/* Accounts at carriers, as a JSON list: those of the values, or those that the simulator plays. */}}
{{- define "watchword.carrierRows" -}}
{{- if include "watchword.playsOwnAccounts" . }}
{{- $host := printf "%s-carrier-sim" (include "watchword.fullname" .) }}
{{- $twilio := dict "id" "twilio" "carrier" "twilio"
  "settings" (dict "account_sid" (include "watchword.simulatedAccountSid" .) "base_url" (printf "http://%s:8320/twilio" $host))
  "secrets" (dict "auth_token" (dict "env" "TWILIO_AUTH_TOKEN")) }}
{{- $smtp := dict "id" "smtp" "carrier" "smtp" "settings" (dict "host" $host "port" 8325 "security" "none") }}
{{- list $twilio $smtp | toJson }}
{{- else }}
{{- toJson .Values.carriers.accounts }}
{{- end }}
{{- end }}

{{- define "watchword.carriersEnv" -}}
- { name: CARRIERS_FILE, value: /etc/watchword/carriers/carriers.json }
{{- if include "watchword.playsOwnAccounts" . }}
{{ include "watchword.fromSecret" (dict "name" "TWILIO_AUTH_TOKEN" "secret" (include "watchword.secretName" .)) }}
{{- end }}
{{- end }}

{{/* What values.settings and its secret say to one service. */}}
{{- define "watchword.settingsEnv" -}}
{{- $values := .root.Values }}
{{- $optional := get (.root.Files.Get "settings.json" | fromJson) .service }}
{{- range $optional.plain }}
{{- if hasKey $values.settings . }}
- { name: {{ . }}, value: {{ include "watchword.text" (get $values.settings .) }} }
{{- end }}
{{- end }}
{{- if $values.secretSettings }}
{{- range $optional.secret }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $values.secretSettings | quote }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end }}
{{- end }}

{{- define "watchword.authoritiesEnv" -}}
{{- if .Values.authorities.configMapName }}
- { name: NODE_EXTRA_CA_CERTS, value: {{ print "/etc/watchword/authorities/" .Values.authorities.key | quote }} }
{{- end }}
{{- end }}

{{/* Files that pods read: the certificate of internal calls, accounts at carriers, and authorities. */}}
{{- define "watchword.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .tlsSecret }}
- { name: internal-tls, mountPath: /etc/watchword/tls, readOnly: true }
{{- end }}
{{- if .readsCarriers }}
- { name: carriers, mountPath: /etc/watchword/carriers, readOnly: true }
{{- end }}
{{- if .root.Values.authorities.configMapName }}
- { name: authorities, mountPath: /etc/watchword/authorities, readOnly: true }
{{- end }}
{{- end }}

{{- define "watchword.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with .tlsSecret }}
- name: internal-tls
  secret: { secretName: {{ . | quote }}, defaultMode: 0440 }
{{- end }}
{{- if .readsCarriers }}
- name: carriers
  configMap: { name: {{ include "watchword.fullname" .root }}-carriers }
{{- end }}
{{- with .root.Values.authorities.configMapName }}
- name: authorities
  configMap: { name: {{ . | quote }} }
{{- end }}
{{- end }}

{{/* Rendering without a cluster knows no operators: there, --api-versions names them. */}}
{{- define "watchword.demand" -}}
{{- if not (.root.Capabilities.APIVersions.Has .api) }}
{{- fail (printf "%s: this cluster knows no %s. Install %s first, or render with --api-versions %s." .value .api .operator .api) }}
{{- end }}
{{- end }}

{{- /* Port of a URL: the one that it names, or that of its scheme. */}}
{{- define "watchword.portOfUrl" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end }}

{{- /* A name server of DNS_SERVERS, `ip`, `ip:port` or `[ip]:port`, as {cidr, port} in JSON. */}}
{{- define "watchword.dnsServer" -}}
{{- $port := regexFind "(\\]|^[0-9.]+):[0-9]+$" . | regexFind "[0-9]+$" | default "53" -}}
{{- $ip := regexReplaceAll "^\\[|\\](:[0-9]+)?$" . "" -}}
{{- $isFour := contains "." $ip -}}
{{- $cidr := ternary (printf "%s/32" (regexReplaceAll ":[0-9]+$" $ip "")) (printf "%s/128" $ip) $isFour -}}
{{- dict "cidr" $cidr "port" $port | toJson -}}
{{- end }}
