package main

import rego.v1

# With --combine the input holds the documents of all releases, each with the path of its release.
covered contains [release, component] if {
	some {"path": release, "contents": document} in input
	document.kind == "NetworkPolicy"
	component := document.spec.podSelector.matchLabels["app.kubernetes.io/component"]
}

deny contains sprintf("%s: no network policy selects the pods of %s", [release, component]) if {
	some {"path": release, "contents": document} in input
	document.kind in {"Deployment", "Job", "StatefulSet"}
	component := document.spec.template.metadata.labels["app.kubernetes.io/component"]
	not [release, component] in covered
}
