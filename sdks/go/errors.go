package watchword

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
)

// Error returns the name of the type.
func (kind ErrorType) Error() string { return string(kind) }

// APIError says that the API refused the request, or that the SDK did because the API would. Match on Type:
// errors.Is(err, watchword.ErrPhoneInvalid).
type APIError struct {
	Type    ErrorType
	Message string
	// Status is 0 where the SDK refused the request before it was sent.
	Status            int
	Field             string
	RequestID         string
	RetryAfterSeconds *int
	// Attempts is how many requests were made.
	Attempts int
}

func (err *APIError) Error() string { return fmt.Sprintf("%s: %s", err.Type, err.Message) }

// Is returns whether target is the type of this error.
func (err *APIError) Is(target error) bool {
	kind, ok := target.(ErrorType)
	return ok && kind == err.Type
}

// ConnectionError says that no complete answer came. The request may have had an effect: repeat it with the same
// IdempotencyKey.
type ConnectionError struct {
	IdempotencyKey string
	Attempts       int
	// IsTimeout says that no answer came within the time-out.
	IsTimeout bool
	Cause     error
}

func (err *ConnectionError) Error() string {
	if err.IsTimeout {
		return "no answer came within the time-out"
	}
	return fmt.Sprintf("no complete answer came: %v", err.Cause)
}

// Unwrap returns the cause.
func (err *ConnectionError) Unwrap() error { return err.Cause }

// SignatureError says that the signature of a delivery is wrong, missing or too old. Answer it with 401.
type SignatureError struct{ Message string }

func (err *SignatureError) Error() string { return err.Message }

func refuse(kind ErrorType, field, message string) *APIError {
	return &APIError{Type: kind, Field: field, Message: message}
}

var digits = regexp.MustCompile(`^[0-9]+$`)

var typeByStatus = map[int]ErrorType{
	400: ErrValidation,
	401: ErrAuthentication,
	402: ErrInsufficientCredits,
	403: ErrPermission,
	404: ErrNotFound,
	409: ErrConflict,
	429: ErrRateLimitExceeded,
	502: ErrUpstream,
}

func typeOf(status int) ErrorType {
	if kind, ok := typeByStatus[status]; ok {
		return kind
	}
	if status >= 500 {
		return ErrInternal
	}
	return ErrValidation
}

type errorBody struct {
	Error struct {
		Type              ErrorType       `json:"type"`
		Message           string          `json:"message"`
		Field             string          `json:"field"`
		RequestID         string          `json:"request_id"`
		RetryAfterSeconds json.RawMessage `json:"retry_after_seconds"`
	} `json:"error"`
}

func apiErrorOf(status int, header http.Header, text []byte, attempts int) *APIError {
	var body errorBody
	// An answer of a proxy is not in this form; its status says enough.
	_ = json.Unmarshal(text, &body)
	given := body.Error
	err := &APIError{
		Type:              given.Type,
		Message:           given.Message,
		Status:            status,
		Field:             given.Field,
		RequestID:         firstOf(given.RequestID, header.Get("X-Request-Id")),
		RetryAfterSeconds: secondsToWait(header.Get("Retry-After")),
		Attempts:          attempts,
	}
	if err.Type == "" {
		err.Type = typeOf(status)
	}
	if err.Message == "" {
		err.Message = fmt.Sprintf("The server answered %d without an error of the API.", status)
	}
	if err.RetryAfterSeconds == nil {
		err.RetryAfterSeconds = secondsToWait(string(given.RetryAfterSeconds))
	}
	return err
}

// secondsToWait returns whole seconds. A date, which the header may be, is none.
func secondsToWait(text string) *int {
	if !digits.MatchString(text) {
		return nil
	}
	seconds, err := strconv.Atoi(text)
	if err != nil {
		seconds = math.MaxInt
	}
	return &seconds
}
