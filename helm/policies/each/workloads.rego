package main

import rego.v1

pod := input.spec.template.spec if input.kind in {"Deployment", "Job", "StatefulSet"}

pod := input.spec.jobTemplate.spec.template.spec if input.kind == "CronJob"

name := sprintf("%s %s", [input.kind, input.metadata.name])

deny contains sprintf("%s may run as root", [name]) if {
	pod
	not pod.securityContext.runAsNonRoot
}

deny contains sprintf("%s has no seccomp profile", [name]) if {
	pod.securityContext.seccompProfile.type != "RuntimeDefault"
}

deny contains sprintf("%s mounts a service account token", [name]) if {
	pod.automountServiceAccountToken != false
}

deny contains sprintf("%s mounts a path of its node", [name]) if {
	some volume in pod.volumes
	volume.hostPath
}

# No limit of processor is wanted: it would slow messages down while the node is idle.
deny contains sprintf("%s has no memory limit", [name]) if {
	some container in pod.containers
	not container.resources.limits.memory
}

deny contains sprintf("%s requests no processor", [name]) if {
	some container in pod.containers
	not container.resources.requests.cpu
}

# The image of Kafka writes its configuration beside its programs.
deny contains sprintf("%s can write its root file system", [name]) if {
	some container in pod.containers
	not input.metadata.labels["app.kubernetes.io/component"] == "kafka"
	not container.securityContext.readOnlyRootFilesystem
}

deny contains sprintf("%s keeps capabilities", [name]) if {
	some container in pod.containers
	not "ALL" in container.securityContext.capabilities.drop
}

deny contains sprintf("%s can gain privileges", [name]) if {
	some container in pod.containers
	container.securityContext.allowPrivilegeEscalation != false
}

deny contains sprintf("%s has a mutable tag: %s", [name, container.image]) if {
	some container in pod.containers
	regex.match(`(^[^:@]+|:latest)$`, container.image)
}

deny contains sprintf("%s has a secret in %s", [name, variable.name]) if {
	some container in pod.containers
	some variable in container.env
	regex.match(`(SECRET|PASSWORD|TOKEN|PEPPER|ENCRYPTION_KEY|API_KEY)`, variable.name)
	variable.value
}

deny contains sprintf("%s has a password in %s", [name, variable.name]) if {
	some container in pod.containers
	some variable in container.env
	regex.match(`://[^/@:]+:[^$@][^@]*@`, variable.value)
}
