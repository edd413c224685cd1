// Command policies holds YAML documents against Rego policies, which deny in package main.
//
//	policies <folder for each document> <folder for all documents together> <file>...
//
// A policy for all gets a list of {path, contents}.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/open-policy-agent/opa/v1/rego"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) < 4 {
		exit("usage: policies <each> <all> <file>...")
	}
	each, all := prepare(os.Args[1]), prepare(os.Args[2])
	documents := read(os.Args[3:])
	failures := 0
	report := func(path string, denied []string) {
		for _, sentence := range denied {
			fmt.Printf("%s: %s\n", path, sentence)
			failures++
		}
	}
	for _, document := range documents {
		report(document["path"].(string), evaluate(each, document["contents"]))
	}
	report("all", evaluate(all, documents))
	fmt.Printf("%d documents, %d failures\n", len(documents), failures)
	if failures > 0 {
		os.Exit(1)
	}
}

func prepare(folder string) rego.PreparedEvalQuery {
	query := rego.New(rego.Query("data.main.deny"), rego.Load([]string{folder}, nil))
	prepared, err := query.PrepareForEval(context.Background())
	if err != nil {
		exit(err)
	}
	return prepared
}

func evaluate(policies rego.PreparedEvalQuery, input any) []string {
	results, err := policies.Eval(context.Background(), rego.EvalInput(input))
	if err != nil {
		exit(err)
	}
	var denied []string
	for _, result := range results {
		for _, sentence := range result.Expressions[0].Value.([]any) {
			denied = append(denied, fmt.Sprint(sentence))
		}
	}
	return denied
}

func read(paths []string) []map[string]any {
	documents := []map[string]any{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			exit(err)
		}
		for _, part := range bytes.Split(append([]byte("\n"), text...), []byte("\n---")) {
			var contents map[string]any
			if err := yaml.Unmarshal(part, &contents); err != nil {
				exit(path, err)
			}
			if contents != nil {
				documents = append(documents, map[string]any{"path": filepath.Base(path), "contents": contents})
			}
		}
	}
	return documents
}

func exit(reason ...any) {
	fmt.Fprintln(os.Stderr, reason...)
	os.Exit(2)
}
