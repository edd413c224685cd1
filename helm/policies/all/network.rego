package main

import rego.v1

# With --combine the input holds the documents of all releases, each with the path of its release.
covered contains [release, component] if {
	some {"path": release, "contents": document} in input
	document.kind == "NetworkPolicy"
	component := document.spec.podSelector.matchLabels["app.kubernetes.io/component"]
}

pods_of(document) := document.spec.template if document.kind in {"Deployment", "Job", "StatefulSet"}

pods_of(document) := document.spec.jobTemplate.spec.template if document.kind == "CronJob"

deny contains sprintf("%s: no network policy selects the pods of %s", [release, component]) if {
	some {"path": release, "contents": document} in input
	component := pods_of(document).metadata.labels["app.kubernetes.io/component"]
	not [release, component] in covered
}
