// Command twilio-go is a program written for Twilio, by its library for Go, as docs/guides/move-from-twilio.md has it.
package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"

	"github.com/twilio/twilio-go"
	"github.com/twilio/twilio-go/client"
	api "github.com/twilio/twilio-go/rest/api/v2010"
	verify "github.com/twilio/twilio-go/rest/verify/v2"
)

// watchword sends the requests of the library to another address, with the key, which the library itself would refuse
// for its underscores.
type watchword struct {
	base *url.URL
	key  string
}

func (w watchword) RoundTrip(request *http.Request) (*http.Response, error) {
	here := request.Clone(request.Context())
	target := w.base.JoinPath("twilio")
	here.URL.Scheme, here.URL.Host, here.Host = target.Scheme, target.Host, target.Host
	here.URL = target.JoinPath(request.URL.EscapedPath())
	here.URL.RawQuery = request.URL.RawQuery
	here.SetBasicAuth("workspace", w.key)
	return http.DefaultTransport.RoundTrip(here)
}

func main() {
	workspace := os.Getenv("WORKSPACE")
	base, err := url.Parse(os.Getenv("WATCHWORD_BASE_URL"))
	must(err)
	there := &http.Client{Transport: watchword{base, os.Getenv("WATCHWORD_KEY")}}
	account := "AC" + workspace
	requests := &client.Client{Credentials: client.NewCredentials(account, "unused"), HTTPClient: there}
	requests.SetAccountSid(account)
	library := twilio.NewRestClientWithParams(twilio.ClientParams{Client: requests})
	sendAndCheck(library.VerifyV2, "VA"+workspace)
	sendText(library.Api, "MG"+workspace)
}

func sendAndCheck(service *verify.ApiService, sid string) {
	send := &verify.CreateVerificationParams{}
	send.SetTo("+234 803 000 0000").SetChannel("sms")
	sent, err := service.CreateVerification(sid, send)
	must(err)
	expect("pending", *sent.Status)
	found, err := service.FetchVerification(sid, "+2348030000000")
	must(err)
	expect(*sent.Sid, *found.Sid)
	check := &verify.CreateVerificationCheckParams{}
	check.SetTo("+2348030000000").SetCode("123456")
	checked, err := service.CreateVerificationCheck(sid, check)
	must(err)
	expect("approved", *checked.Status)
	_, err = service.CreateVerificationCheck(sid, check)
	expectCode(20404, err)
	services, err := service.ListService(&verify.ListServiceParams{})
	must(err)
	expect(sid, *services[0].Sid)
}

func sendText(service *api.ApiService, sid string) {
	create := &api.CreateMessageParams{}
	create.SetTo("+2348030000000").SetBody("Déjà prêt.").SetMessagingServiceSid(sid)
	message, err := service.CreateMessage(create)
	must(err)
	expect("Déjà prêt.", *message.Body)
	_, err = service.FetchMessage(*message.Sid, &api.FetchMessageParams{})
	must(err)
	_, err = service.FetchMessage("SM00000000000000000000000000000000", &api.FetchMessageParams{})
	expectCode(20404, err)
}

func expectCode(code int, err error) {
	var refused *client.TwilioRestError
	if !errors.As(err, &refused) {
		log.Fatalf("not refused with %d: %v", code, err)
	}
	expect(fmt.Sprint(code), fmt.Sprint(refused.Code))
}

func expect(wanted, given string) {
	if wanted != given {
		log.Fatalf("%s instead of %s", given, wanted)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
