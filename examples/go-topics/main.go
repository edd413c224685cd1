// Command go-topics reads the events of messages and of credits from Kafka, checks each against the schema of the
// AsyncAPI document, and prints what each workspace spent. docs/guides/consume-topics.md has the rules it follows.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

const group = "finance.spend-by-workspace-go"

var topics = []string{"svc.message-events.v1", "svc.credit-events.v1"}

func main() {
	schemas, err := compileSchemas(os.Getenv("ASYNCAPI"))
	if err != nil {
		log.Fatal(err)
	}
	client, err := kgo.NewClient(append(connection(),
		kgo.ConsumerGroup(group),
		kgo.ConsumeTopics(topics...),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(),
	)...)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := consume(ctx, client, schemas, newSpending()); err != nil {
		log.Print(err)
	}
}

// connection reads the variables that the guide names.
func connection() []kgo.Opt {
	options := []kgo.Opt{kgo.SeedBrokers(strings.Split(os.Getenv("KAFKA_BROKERS"), ",")...)}
	user, password := os.Getenv("KAFKA_USERNAME"), os.Getenv("KAFKA_PASSWORD")
	if user == "" {
		return options
	}
	switch strings.ToLower(os.Getenv("KAFKA_SASL_MECHANISM")) {
	case "scram-sha-256":
		return append(options, kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha256Mechanism()))
	case "scram-sha-512":
		return append(options, kgo.SASL(scram.Auth{User: user, Pass: password}.AsSha512Mechanism()))
	default:
		return append(options, kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism()))
	}
}

// consume commits after handling, so a crash repeats messages and loses none.
func consume(ctx context.Context, client *kgo.Client, schemas map[string]*jsonschema.Schema, spending *spending) error {
	for {
		fetches := client.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil
		}
		for _, failure := range fetches.Errors() {
			log.Printf("cannot read %s: %v", failure.Topic, failure.Err)
		}
		for _, record := range fetches.Records() {
			if err := handle(record, schemas, spending); err != nil {
				// In production: store it elsewhere. It must not stop its partition.
				log.Printf("%s %d@%d: %v", record.Topic, record.Partition, record.Offset, err)
			}
		}
		if err := client.CommitUncommittedOffsets(ctx); err != nil && !errors.Is(err, context.Canceled) {
			log.Printf("cannot commit: %v", err)
		}
	}
}

func handle(record *kgo.Record, schemas map[string]*jsonschema.Schema, spending *spending) error {
	headers := map[string]string{}
	for _, header := range record.Headers {
		headers[header.Key] = string(header.Value)
	}
	schema, known := schemas[headers["ce_type"]]
	if !known {
		return nil // A type that is newer than this program.
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(record.Value))
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return err
	}
	return spending.add(record.Topic+" "+headers["ce_id"], headers["ce_type"], record.Value)
}

// compileSchemas reads the payloads of all messages of the document, by their ce_type.
func compileSchemas(path string) (map[string]*jsonschema.Schema, error) {
	if path == "" {
		path = "../../docs/reference/asyncapi.json"
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var names struct {
		Components struct {
			Messages map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("asyncapi.json", document); err != nil {
		return nil, err
	}
	schemas := map[string]*jsonschema.Schema{}
	for name := range names.Components.Messages {
		schema, err := compiler.Compile(fmt.Sprintf("asyncapi.json#/components/messages/%s/payload", name))
		if err != nil {
			return nil, err
		}
		schemas[name] = schema
	}
	return schemas, nil
}
