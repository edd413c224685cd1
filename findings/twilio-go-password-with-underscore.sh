#!/bin/sh
# twilio-go 1.31.0: a password with an underscore is refused before any request, as the answer of a server
#
# One would guess: the secret of Basic authentication is opaque, and the server judges it (RFC 7617).
# What happens: a client whose password holds an underscore sends nothing. The error looks like an answer of Twilio: status
#   400, code 21224. The same client with letters and digits sends the request. The libraries for Node, Python and Java
#   send both.
# Why it matters here: keys are `svc_live_...`, and are the password where a program of Twilio is moved to /twilio. A key
#   is therefore also taken without its underscores (guide "Move from Twilio").
# Seen: github.com/twilio/twilio-go 1.31.0, Go 1.26, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"

	"github.com/twilio/twilio-go/client"
)

func main() {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Write([]byte("{}"))
	}))
	defer server.Close()
	ask := func(password string) (int, string) {
		requests = 0
		one := &client.Client{Credentials: client.NewCredentials("ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", password)}
		form := url.Values{"To": {"+2348031234567"}}
		headers := map[string]interface{}{"Content-Type": "application/x-www-form-urlencoded"}
		_, err := one.SendRequest(http.MethodPost, server.URL+"/v2/Services", form, headers)
		if err == nil {
			return requests, "no error"
		}
		return requests, err.Error()
	}
	plain, plainError := ask("0123456789abcdef")
	underscored, underscoredError := ask("0123456789_abcdef")
	fmt.Printf("twilio-go 1.31.0\nletters and digits: %d request, %s\nwith an underscore: %d requests, %s\n",
		plain, plainError, underscored, underscoredError)
	if plain != 1 || plainError != "no error" || underscored != 0 || underscoredError == "no error" {
		fmt.Println("This has changed.")
		os.Exit(1)
	}
}
GO
export GOFLAGS=-mod=mod GOTOOLCHAIN=local GOPATH="$folder/go"
go mod init finding >/dev/null 2>&1
go get github.com/twilio/twilio-go@v1.31.0 >/dev/null 2>&1
go run .
