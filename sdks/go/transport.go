package watchword

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"time"
)

const (
	firstBackoff = 100 * time.Millisecond
	backoffMax   = 2 * time.Second
	// A longer Retry-After is left to the caller.
	retryAfterMax = time.Minute
	// After this time an unanswered try runs no longer, so the next answer is final.
	settledAfter = 6 * time.Second
)

// A header carries no other characters.
var idempotencyKey = regexp.MustCompile(`^[\x20-\x7e]{1,255}$`)

var e164 = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// RequestOption changes one call.
type RequestOption func(*requestOptions)

type requestOptions struct {
	idempotencyKey *string
	timeout        time.Duration
	maxRetries     int
	language       string
}

// WithIdempotencyKey sets the key of a POST: one per message, not per try. The SDK makes one of its own for each POST;
// give yours to survive a restart.
func WithIdempotencyKey(key string) RequestOption {
	return func(options *requestOptions) { options.idempotencyKey = &key }
}

// WithRequestTimeout bounds each try of this call.
func WithRequestTimeout(timeout time.Duration) RequestOption {
	return func(options *requestOptions) { options.timeout = timeout }
}

// WithRequestRetries sets the tries after the first of this call.
func WithRequestRetries(retries int) RequestOption {
	return func(options *requestOptions) { options.maxRetries = retries }
}

// WithRequestLanguage sets the language of this call's error.
func WithRequestLanguage(language string) RequestOption {
	return func(options *requestOptions) { options.language = language }
}

type call struct {
	method   string
	path     string
	segments []segment
	body     any
	query    query
	number   *numberCheck
}

type segment struct{ name, value string }

// A number without a plus is refused before it is sent.
type numberCheck struct {
	field, value string
	kind         ErrorType
}

type query map[string]string

func (q query) set(name string, value any) {
	reflected := reflect.ValueOf(value)
	if reflected.IsNil() {
		return
	}
	if moment, ok := reflected.Elem().Interface().(time.Time); ok {
		q[name] = moment.Format(time.RFC3339Nano)
		return
	}
	q[name] = fmt.Sprint(reflected.Elem().Interface())
}

// sending is a call over all its tries.
type sending struct {
	client       *Client
	options      requestOptions
	method       string
	address      string
	body         []byte
	key          string
	attempts     int
	unansweredAt time.Time
	isConfirmed  bool
}

// send makes a call, and repeats it as docs/guides/retry-safely.md says: a POST always with the same Idempotency-Key,
// and never after a final answer.
func send[T any](ctx context.Context, client *Client, one call, options []RequestOption) (*T, error) {
	sending, err := prepare(client, one, options)
	if err != nil {
		return nil, err
	}
	for {
		result := new(T)
		failure := sending.try(ctx, result)
		if failure == nil {
			return result, nil
		}
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), failure)
		}
		delay, again := sending.delayAfter(failure)
		if !again {
			return nil, failure
		}
		if err := client.settings.sleep(ctx, delay); err != nil {
			return nil, errors.Join(err, failure)
		}
	}
}

func prepare(client *Client, one call, given []RequestOption) (*sending, error) {
	options := requestOptions{
		timeout:    client.settings.timeout,
		maxRetries: client.settings.maxRetries,
		language:   client.settings.language,
	}
	for _, option := range given {
		option(&options)
	}
	if err := checkNumber(one.number); err != nil {
		return nil, err
	}
	path, err := pathOf(one)
	if err != nil {
		return nil, err
	}
	sending := &sending{client: client, options: options, method: one.method}
	sending.address = client.settings.baseURL + path
	if one.body != nil {
		if sending.body, err = json.Marshal(one.body); err != nil {
			return nil, err
		}
	}
	if one.method == http.MethodPost {
		if sending.key, err = keyOf(options); err != nil {
			return nil, err
		}
	}
	return sending, nil
}

func (s *sending) try(ctx context.Context, result any) error {
	s.attempts++
	limited, cancel := context.WithTimeout(ctx, s.options.timeout)
	defer cancel()
	response, text, err := s.request(limited)
	if err != nil {
		return s.unanswered(limited, err)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return apiErrorOf(response.StatusCode, response.Header, text, s.attempts)
	}
	if response.StatusCode == http.StatusNoContent {
		return nil
	}
	if !isObject(text) {
		return s.unanswered(limited, errors.New("the answer is no JSON object"))
	}
	if err := json.Unmarshal(text, result); err != nil {
		return s.unanswered(limited, err)
	}
	return nil
}

// isObject returns whether JSON is an object. Unmarshal takes null for one.
func isObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
}

func (s *sending) unanswered(ctx context.Context, cause error) error {
	s.unansweredAt = s.client.settings.now()
	return &ConnectionError{
		IdempotencyKey: s.key,
		Attempts:       s.attempts,
		IsTimeout:      errors.Is(ctx.Err(), context.DeadlineExceeded),
		Cause:          cause,
	}
}

func (s *sending) request(ctx context.Context) (*http.Response, []byte, error) {
	var body io.Reader
	if s.body != nil {
		body = bytes.NewReader(s.body)
	}
	request, err := http.NewRequestWithContext(ctx, s.method, s.address, body)
	if err != nil {
		return nil, nil, err
	}
	// With this and an Idempotency-Key, Go itself would repeat the request, unseen and uncounted.
	request.GetBody = nil
	request.Header.Set("Authorization", "Bearer "+s.client.settings.apiKey)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", s.client.settings.userAgent)
	if s.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if s.key != "" {
		request.Header.Set("Idempotency-Key", s.key)
	}
	if s.options.language != "" {
		request.Header.Set("Accept-Language", s.options.language)
	}
	response, err := s.client.settings.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	// A proxy may put a byte order mark before it.
	return response, bytes.TrimPrefix(text, []byte("\ufeff")), err
}

// delayAfter returns the time until the next try, or false where this error is the end.
func (s *sending) delayAfter(failure error) (time.Duration, bool) {
	var refused *APIError
	if errors.As(failure, &refused) && isFinal(refused) {
		if s.unansweredAt.IsZero() || s.isConfirmed || s.key == "" {
			return 0, false
		}
		s.isConfirmed = true
		return max(0, s.unansweredAt.Add(settledAfter).Sub(s.client.settings.now())), true
	}
	retries := s.attempts - 1
	if retries >= s.options.maxRetries {
		return 0, false
	}
	if refused != nil && refused.RetryAfterSeconds != nil {
		seconds := *refused.RetryAfterSeconds
		return time.Duration(seconds) * time.Second, seconds <= int(retryAfterMax/time.Second)
	}
	backoff := min(float64(backoffMax), float64(firstBackoff)*math.Pow(2, float64(retries)))
	return time.Duration(backoff * (0.5 + s.client.settings.random()/2)), true
}

// isFinal returns whether the same request would be answered in the same way.
func isFinal(err *APIError) bool {
	if err.Status >= 500 || err.Status == http.StatusTooManyRequests {
		return false
	}
	isRunning := err.Status == http.StatusConflict && err.Type == ErrConflict && err.RetryAfterSeconds != nil
	return !isRunning
}

func pathOf(one call) (string, error) {
	path := one.path
	for _, segment := range one.segments {
		// Two dots would name the path above.
		if segment.value == "" || segment.value == "." || segment.value == ".." {
			return "", refuse(ErrValidation, segment.name, segment.name+" must be a text that is not empty, and no dots.")
		}
		path = strings.Replace(path, "{"+segment.name+"}", url.PathEscape(segment.value), 1)
	}
	if len(one.query) == 0 {
		return path, nil
	}
	values := url.Values{}
	for name, value := range one.query {
		values.Set(name, value)
	}
	return path + "?" + values.Encode(), nil
}

func checkNumber(check *numberCheck) error {
	if check == nil || e164.MatchString(check.value) {
		return nil
	}
	return refuse(check.kind, check.field, check.field+` must be a number in E.164, for example "+2348031234567".`)
}

func keyOf(options requestOptions) (string, error) {
	if options.idempotencyKey == nil {
		return rand.Text(), nil
	}
	key := *options.idempotencyKey
	if idempotencyKey.MatchString(key) {
		return key, nil
	}
	return "", refuse(ErrValidation, "Idempotency-Key", "Idempotency-Key must have 1 to 255 characters of ASCII.")
}
