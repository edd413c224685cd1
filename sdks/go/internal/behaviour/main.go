// Command behaviour runs the cases of behaviour.json with this SDK: one JSON text a line, in and out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	watchword "github.com/watchword/watchword/sdks/go"
)

type request struct {
	Client struct {
		APIKey, BaseURL, Mode, Language, UserAgent string
		TimeoutMs                                  int
		MaxRetries                                 *int
	}
	Resource, Method, As string
	Path                 []string
	Cancelled            bool
	Body, Query          json.RawMessage
	Options              struct {
		IdempotencyKey *string
		TimeoutMs      int
		MaxRetries     *int
		Language       string
	}
	Verify *struct {
		Body             string
		Headers          map[string]string
		Secrets          []string
		ToleranceSeconds *int64
		AcceptUntimed    bool
		NowSeconds       int64
	}
}

type answer struct {
	Value  any            `json:"value"`
	Error  map[string]any `json:"error,omitempty"`
	Sleeps []int64        `json:"sleeps"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var one request
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		given := answer{Sleeps: []int64{}}
		value, err := run(one, &given.Sleeps)
		if err != nil {
			given.Error = described(err)
		} else {
			given.Value = value
		}
		if err := output.Encode(given); err != nil {
			panic(err)
		}
	}
}

func run(one request, sleeps *[]int64) (any, error) {
	if one.Verify != nil {
		return verify(one)
	}
	client, err := watchword.New(one.Client.APIKey, clientOptions(one, sleeps)...)
	if err != nil {
		return nil, err
	}
	resource := reflect.ValueOf(client).Elem().FieldByNameFunc(func(name string) bool {
		return strings.EqualFold(name, one.Resource)
	})
	for index := range resource.NumMethod() {
		if strings.EqualFold(resource.Type().Method(index).Name, one.Method) {
			return call(one, resource.Method(index))
		}
	}
	return nil, errors.New("no method " + one.Method)
}

func clientOptions(one request, sleeps *[]int64) []watchword.Option {
	at := time.Unix(1_000, 0)
	sleep := func(_ context.Context, duration time.Duration) error {
		*sleeps = append(*sleeps, duration.Milliseconds())
		at = at.Add(duration)
		return nil
	}
	options := []watchword.Option{
		watchword.WithClock(func() time.Time { return at }, sleep, func() float64 { return 0 }),
		watchword.WithMode(one.Client.Mode),
		watchword.WithLanguage(one.Client.Language),
	}
	if one.Client.BaseURL != "" {
		options = append(options, watchword.WithBaseURL(one.Client.BaseURL))
	}
	if one.Client.UserAgent != "" {
		options = append(options, watchword.WithUserAgent(one.Client.UserAgent))
	}
	if one.Client.TimeoutMs > 0 {
		options = append(options, watchword.WithTimeout(time.Duration(one.Client.TimeoutMs)*time.Millisecond))
	}
	if one.Client.MaxRetries != nil {
		options = append(options, watchword.WithMaxRetries(*one.Client.MaxRetries))
	}
	return options
}

func requestOptions(one request) []reflect.Value {
	var values []reflect.Value
	add := func(option watchword.RequestOption) { values = append(values, reflect.ValueOf(option)) }
	if one.Options.IdempotencyKey != nil {
		add(watchword.WithIdempotencyKey(*one.Options.IdempotencyKey))
	}
	if one.Options.TimeoutMs > 0 {
		add(watchword.WithRequestTimeout(time.Duration(one.Options.TimeoutMs) * time.Millisecond))
	}
	if one.Options.MaxRetries != nil {
		add(watchword.WithRequestRetries(*one.Options.MaxRetries))
	}
	if one.Options.Language != "" {
		add(watchword.WithRequestLanguage(one.Options.Language))
	}
	return values
}

func contextOf(one request) context.Context {
	if !one.Cancelled {
		return context.Background()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func call(one request, method reflect.Value) (any, error) {
	kind := method.Type()
	contextType := reflect.TypeFor[context.Context]()
	path := one.Path
	var values []reflect.Value
	for index := range kind.NumIn() - 1 {
		parameter := kind.In(index)
		switch {
		case parameter == contextType:
			values = append(values, reflect.ValueOf(contextOf(one)))
		case parameter.Kind() == reflect.String:
			values = append(values, reflect.ValueOf(path[0]))
			path = path[1:]
		case strings.HasSuffix(parameter.Name(), "Params"):
			values = append(values, filled(parameter, one.Query))
		default:
			values = append(values, filled(bodyType(parameter, one.Body), one.Body))
		}
	}
	results := method.Call(append(values, requestOptions(one)...))
	if one.As != "" {
		return read(results[0], one.As)
	}
	err, _ := results[len(results)-1].Interface().(error)
	if err != nil || len(results) == 1 {
		return nil, err
	}
	return results[0].Interface(), nil
}

func filled(kind reflect.Type, text json.RawMessage) reflect.Value {
	value := reflect.New(kind)
	if text != nil {
		if err := json.Unmarshal(text, value.Interface()); err != nil {
			panic(err)
		}
	}
	return value.Elem()
}

// A quote takes one of several kinds.
func bodyType(parameter reflect.Type, text json.RawMessage) reflect.Type {
	if parameter.Kind() != reflect.Interface {
		return parameter
	}
	var members map[string]any
	_ = json.Unmarshal(text, &members)
	switch {
	case members["kind"] == "otp":
		return reflect.TypeFor[watchword.QuoteOTP]()
	case members["kind"] == "email":
		return reflect.TypeFor[watchword.QuoteEmail]()
	case members["phone_number"] != nil:
		return reflect.TypeFor[watchword.QuoteTransactionalSMS]()
	default:
		return reflect.TypeFor[watchword.QuoteMessage]()
	}
}

func read(pages reflect.Value, as string) (any, error) {
	background := reflect.ValueOf(context.Background())
	if as == "page" {
		results := pages.MethodByName("Page").Call([]reflect.Value{background, reflect.ValueOf("")})
		if err, _ := results[1].Interface().(error); err != nil {
			return nil, err
		}
		page := results[0].Elem()
		next := page.FieldByName("Next").String()
		return map[string]any{"data": page.FieldByName("Data").Interface(), "next": next}, nil
	}
	items := []any{}
	var failure error
	all := pages.MethodByName("All").Call([]reflect.Value{background})[0]
	for item, err := range iter.Seq2[reflect.Value, reflect.Value](all.Seq2()) {
		if failure, _ = err.Interface().(error); failure != nil {
			return nil, failure
		}
		items = append(items, item.Interface())
	}
	return items, nil
}

func verify(one request) (any, error) {
	given := one.Verify
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	options := []watchword.VerifyOption{
		watchword.WithNow(func() time.Time { return time.Unix(given.NowSeconds, 0) }),
	}
	if given.AcceptUntimed {
		options = append(options, watchword.AcceptUntimed())
	}
	if given.ToleranceSeconds != nil {
		options = append(options, watchword.WithTolerance(time.Duration(*given.ToleranceSeconds)*time.Second))
	}
	return watchword.VerifyWebhook([]byte(given.Body), header, given.Secrets, options...)
}

func described(err error) map[string]any {
	var refused *watchword.APIError
	var cut *watchword.ConnectionError
	var forged *watchword.SignatureError
	switch {
	case errors.As(err, &refused):
		return map[string]any{
			"kind": "api", "type": refused.Type, "field": orNil(refused.Field), "status": orNil(refused.Status),
			"requestId": orNil(refused.RequestID), "retryAfterSeconds": refused.RetryAfterSeconds,
			"attempts": refused.Attempts,
		}
	case errors.As(err, &cut):
		kind := "connection"
		if cut.IsTimeout {
			kind = "timeout"
		}
		return map[string]any{"kind": kind, "attempts": cut.Attempts, "hasKey": cut.IdempotencyKey != ""}
	case errors.As(err, &forged):
		return map[string]any{"kind": "signature"}
	default:
		return map[string]any{"kind": "other", "message": err.Error()}
	}
}

func orNil[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}
