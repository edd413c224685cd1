// Verifies one webhook delivery as docs/guides/receive-webhooks.md describes, with the standard library alone.
//
// It reads {"headers", "body", "secret", "now"} as JSON and prints the names of the signatures that hold.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const toleranceSeconds = 300

type delivery struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Secret  string            `json:"secret"`
	Now     int64             `json:"now"`
}

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func digest(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// svcSignature checks `t=<seconds>,v1=<hex>`; after a rotation there are two `v1`.
func svcSignature(d delivery) bool {
	stamp := ""
	var given []string
	for _, part := range strings.Split(d.Headers["svc-signature"], ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			stamp = value
		case "v1":
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || d.Now-seconds > toleranceSeconds || seconds-d.Now > toleranceSeconds {
		return false
	}
	expected := digest([]byte(d.Secret), stamp+"."+d.Body)
	for _, value := range given {
		mac, err := hex.DecodeString(value)
		if err == nil && hmac.Equal(expected, mac) {
			return true
		}
	}
	return false
}

// standardSignature checks the header of Standard Webhooks: `v1,<base64>`, separated by spaces.
func standardSignature(d delivery) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(d.Secret, "whsec_"))
	if err != nil {
		return false
	}
	signed := d.Headers["webhook-id"] + "." + d.Headers["webhook-timestamp"] + "." + d.Body
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(digest(key, signed)))
	for _, value := range strings.Split(d.Headers["webhook-signature"], " ") {
		if hmac.Equal(expected, []byte(value)) {
			return true
		}
	}
	return false
}

func main() {
	var d delivery
	var e event
	if err := json.NewDecoder(os.Stdin).Decode(&d); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.Unmarshal([]byte(d.Body), &e); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	held := []string{}
	if svcSignature(d) {
		held = append(held, "svc-signature")
	}
	if standardSignature(d) {
		held = append(held, "webhook-signature")
	}
	named := d.Headers["svc-event"] == e.Type && d.Headers["webhook-id"] == e.ID
	answer := map[string]any{"held": held, "named": named, "type": e.Type}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		os.Exit(1)
	}
}
