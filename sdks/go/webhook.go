package watchword

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyOption changes how a delivery is checked.
type VerifyOption func(*verification)

type verification struct {
	tolerance     time.Duration
	acceptUntimed bool
	now           func() time.Time
}

// WithTolerance sets how far the time of the signature may be from now; by default 5 minutes.
func WithTolerance(tolerance time.Duration) VerifyOption {
	return func(v *verification) { v.tolerance = tolerance }
}

// AcceptUntimed also takes a delivery that has only X-Svc-Signature. That one has no time, so anyone who saw the
// delivery can send it again.
func AcceptUntimed() VerifyOption { return func(v *verification) { v.acceptUntimed = true } }

// WithNow replaces the clock.
func WithNow(now func() time.Time) VerifyOption { return func(v *verification) { v.now = now } }

// Name returns what the event is called, in either variant.
func (event Event) Name() string {
	if event.Type != nil {
		return *event.Type
	}
	if event.Event != nil {
		return *event.Event
	}
	return ""
}

type signed struct {
	signatures []string
	content    []byte
	at         *int64
	isStandard bool
}

// VerifyWebhook returns the event of a delivery, or a *SignatureError. body is the raw body, before any parsing. Give
// several secrets while one replaces the other.
func VerifyWebhook(body []byte, header http.Header, secrets []string, options ...VerifyOption) (*Event, error) {
	checked := verification{tolerance: 5 * time.Minute, now: time.Now}
	for _, option := range options {
		option(&checked)
	}
	one, err := readSignatures(body, header, checked)
	if err != nil {
		return nil, err
	}
	if one.at != nil && checked.now().Sub(time.Unix(*one.at, 0)).Abs() > checked.tolerance {
		return nil, &SignatureError{fmt.Sprintf("The delivery was signed more than %v from now.", checked.tolerance)}
	}
	isGiven := false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		isGiven = true
		matches, err := one.matches(secret)
		if err != nil {
			return nil, err
		}
		if matches {
			return eventOf(body)
		}
	}
	if !isGiven {
		return nil, &SignatureError{"Give the secret of the endpoint, whsec_...."}
	}
	return nil, &SignatureError{"No signature of the delivery matches the secret."}
}

func readSignatures(body []byte, header http.Header, checked verification) (*signed, error) {
	if timed := header.Get("Svc-Signature"); timed != "" {
		return readTimed(timed, body)
	}
	if standard := header.Get("Webhook-Signature"); standard != "" {
		return readStandard(standard, header, body)
	}
	plain := header.Get("X-Svc-Signature")
	if plain == "" {
		return nil, &SignatureError{"The delivery has no signature."}
	}
	if !checked.acceptUntimed {
		return nil, &SignatureError{"The signature of the delivery has no time, and AcceptUntimed is off."}
	}
	return &signed{signatures: []string{plain}, content: body}, nil
}

func readTimed(header string, body []byte) (*signed, error) {
	var at string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			at = firstOf(at, value)
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := secondsOf(at)
	if err != nil {
		return nil, err
	}
	return &signed{signatures, append([]byte(at+"."), body...), seconds, false}, nil
}

func readStandard(header string, headers http.Header, body []byte) (*signed, error) {
	at := headers.Get("Webhook-Timestamp")
	seconds, err := secondsOf(at)
	if err != nil {
		return nil, err
	}
	var signatures []string
	for _, one := range strings.Fields(header) {
		if value, ok := strings.CutPrefix(one, "v1,"); ok {
			signatures = append(signatures, value)
		}
	}
	prefix := headers.Get("Webhook-Id") + "." + at + "."
	return &signed{signatures, append([]byte(prefix), body...), seconds, true}, nil
}

func (one *signed) matches(secret string) (bool, error) {
	key := []byte(secret)
	if one.isStandard {
		decoded, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return false, &SignatureError{"The secret of the endpoint must be whsec_ and base64."}
		}
		key = decoded
	}
	hash := hmac.New(sha256.New, key)
	hash.Write(one.content)
	expected := hex.EncodeToString(hash.Sum(nil))
	if one.isStandard {
		expected = base64.StdEncoding.EncodeToString(hash.Sum(nil))
	}
	// Each is compared, so that the time does not tell which was right.
	found := false
	for _, given := range one.signatures {
		found = hmac.Equal([]byte(given), []byte(expected)) || found
	}
	return found, nil
}

func secondsOf(text string) (*int64, error) {
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !digits.MatchString(text) || len(text) > 15 {
		return nil, &SignatureError{"The signature of the delivery has no time."}
	}
	return &seconds, nil
}

func eventOf(body []byte) (*Event, error) {
	event := &Event{}
	if err := json.Unmarshal(body, event); err != nil || !isObject(body) {
		return nil, &SignatureError{"The body of the delivery is no JSON object."}
	}
	return event, nil
}
