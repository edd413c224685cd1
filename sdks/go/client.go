// Package watchword sends one-time passwords, SMS and emails with Watchword.
package watchword

import (
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"context"
)

const local = "http://127.0.0.1:3000"

var (
	keyForm     = regexp.MustCompile(`^svc_(live|test)_[A-Za-z0-9]{32}$`)
	addressForm = regexp.MustCompile(`^https?://[^/]`)
)

// Client makes the calls of the API. It is safe for concurrent use.
type Client struct {
	OTP          *OTPResource
	SMS          *SMSResource
	Messages     *MessagesResource
	Emails       *EmailsResource
	Templates    *TemplatesResource
	SenderIDs    *SenderIDsResource
	Domains      *DomainsResource
	Suppressions *SuppressionsResource
	Quotes       *QuotesResource
	Prices       *PricesResource
	Balance      *BalanceResource
	Ledger       *LedgerResource
	Events       *EventsResource
	Webhooks     *WebhooksResource
	System       *SystemResource

	settings settings
}

type settings struct {
	apiKey     string
	baseURL    string
	mode       string
	timeout    time.Duration
	maxRetries int
	language   string
	userAgent  string
	http       *http.Client
	now        func() time.Time
	random     func() float64
	sleep      func(context.Context, time.Duration) error
}

// Option changes a client.
type Option func(*settings)

// WithBaseURL sets the address of the API. By default it is the environment's WATCHWORD_BASE_URL, else a local
// `npm start`.
func WithBaseURL(address string) Option { return func(s *settings) { s.baseURL = address } }

// WithMode refuses a key of the other mode, `live` or `test`, so that a test cannot send.
func WithMode(mode string) Option { return func(s *settings) { s.mode = mode } }

// WithTimeout bounds one try; by default 30 seconds.
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithMaxRetries sets the tries after the first; by default 3.
func WithMaxRetries(retries int) Option { return func(s *settings) { s.maxRetries = retries } }

// WithLanguage sets the language of the errors' messages, `en` or `fr`.
func WithLanguage(language string) Option { return func(s *settings) { s.language = language } }

// WithUserAgent puts the name and version of your program before those of the SDK.
func WithUserAgent(name string) Option {
	return func(s *settings) { s.userAgent = name + " " + s.userAgent }
}

// WithHTTPClient replaces the HTTP client, for example by one with a proxy.
func WithHTTPClient(client *http.Client) Option { return func(s *settings) { s.http = client } }

// WithClock replaces time and chance, so that tests need not wait. random returns from 0 to 1.
func WithClock(now func() time.Time, sleep func(context.Context, time.Duration) error, random func() float64) Option {
	return func(s *settings) { s.now, s.sleep, s.random = now, sleep, random }
}

// New returns a client. An empty key stands for the environment's WATCHWORD_KEY.
func New(apiKey string, options ...Option) (*Client, error) {
	s := settings{
		apiKey:     firstOf(apiKey, os.Getenv("WATCHWORD_KEY")),
		baseURL:    firstOf(os.Getenv("WATCHWORD_BASE_URL"), local),
		timeout:    30 * time.Second,
		maxRetries: 3,
		userAgent:  "watchword-go/" + Version,
		http:       &http.Client{CheckRedirect: keepRedirect},
		now:        time.Now,
		random:     rand.Float64,
		sleep:      sleepFor,
	}
	for _, option := range options {
		option(&s)
	}
	if err := checkKey(s.apiKey, s.mode); err != nil {
		return nil, err
	}
	if !addressForm.MatchString(s.baseURL) {
		return nil, refuse(ErrValidation, "baseURL", "baseURL must begin with https:// or http://.")
	}
	s.baseURL = strings.TrimRight(s.baseURL, "/")
	client := &Client{settings: s}
	client.OTP = &OTPResource{client}
	client.SMS = &SMSResource{client}
	client.Messages = &MessagesResource{client}
	client.Emails = &EmailsResource{client}
	client.Templates = &TemplatesResource{client}
	client.SenderIDs = &SenderIDsResource{client}
	client.Domains = &DomainsResource{client}
	client.Suppressions = &SuppressionsResource{client}
	client.Quotes = &QuotesResource{client}
	client.Prices = &PricesResource{client}
	client.Balance = &BalanceResource{client}
	client.Ledger = &LedgerResource{client}
	client.Events = &EventsResource{client}
	client.Webhooks = &WebhooksResource{client}
	client.System = &SystemResource{client}
	return client, nil
}

// IsTestMode returns whether the key sends nothing real.
func (client *Client) IsTestMode() bool {
	return strings.HasPrefix(client.settings.apiKey, "svc_test_")
}

// Ptr returns a pointer to value, for members that can be left out.
func Ptr[T any](value T) *T { return &value }

func checkKey(key, mode string) error {
	if key == "" {
		return refuse(ErrAuthentication, "", "Give an API key, or WATCHWORD_KEY in the environment.")
	}
	match := keyForm.FindStringSubmatch(key)
	if match == nil {
		return refuse(ErrAuthentication, "", "The API key must be svc_live_ or svc_test_ and 32 letters and digits.")
	}
	if mode != "" && match[1] != mode {
		return refuse(ErrAuthentication, "", "The API key must begin with svc_"+mode+"_.")
	}
	return nil
}

// A redirect is an answer: the key does not go to another address.
func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func sleepFor(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func firstOf(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}
