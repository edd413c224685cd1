package main

import rego.v1

# With --combine the input is the list of all documents of a release.
documents contains document.contents if {
	some document in input
	document.contents.kind
}

covered contains component if {
	some document in documents
	document.kind == "NetworkPolicy"
	component := document.spec.podSelector.matchLabels["app.kubernetes.io/component"]
}

deny contains sprintf("no network policy selects the pods of %s", [component]) if {
	some document in documents
	document.kind in {"Deployment", "Job"}
	component := document.spec.template.metadata.labels["app.kubernetes.io/component"]
	not component in covered
}
