// What a client from oapi-codegen does: `client <base URL> <key>`.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/clients/watchword"
)

var numbers = []string{"+2348030000001", "+2348030000002", "+2348030000003"}

func check(isRight bool, what string, values ...any) {
	if !isRight {
		panic(fmt.Sprint(what, values))
	}
}

func main() {
	ctx := context.Background()
	addKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	client, err := watchword.NewClientWithResponses(os.Args[1], watchword.WithRequestEditorFn(addKey))
	check(err == nil, "client", err)
	began := time.Now().Add(-time.Minute)
	send := func(number string, key string) *watchword.SendOtpResponse {
		params := watchword.SendOtpParams{IdempotencyKey: &key}
		answer, err := client.SendOtpWithResponse(ctx, &params, watchword.SendOtpJSONRequestBody{PhoneNumber: number})
		check(err == nil, "send", err)
		return answer
	}
	var sent *watchword.SendOtpResponse
	for _, number := range numbers {
		sent = send(number, number)
		check(sent.JSON200 != nil, "send", string(sent.Body))
	}
	guess := watchword.VerifyOtpJSONRequestBody{OtpId: sent.JSON200.Id, Code: "123 456"}
	checked, err := client.VerifyOtpWithResponse(ctx, &watchword.VerifyOtpParams{}, guess)
	check(err == nil && checked.JSON200 != nil && checked.JSON200.Valid, "verify", err, string(checked.Body))

	limit, isTest := int32(2), true
	filter := watchword.ListOtpsParams{Limit: &limit, CreatedAfter: &began, TestMode: &isTest}
	first, err := client.ListOtpsWithResponse(ctx, &filter)
	check(err == nil && first.JSON200 != nil && len(first.JSON200.Data) == 2, "list", err, string(first.Body))
	next := watchword.ListOtpsParams{Limit: &limit, Cursor: first.JSON200.NextCursor}
	second, err := client.ListOtpsWithResponse(ctx, &next)
	check(err == nil && second.JSON200.Data[0].Id != first.JSON200.Data[0].Id, "next page", err)

	for tries := 0; ; tries++ {
		events, err := client.ListEventsWithResponse(ctx, &watchword.ListEventsParams{})
		check(err == nil && events.JSON200 != nil && tries < 20, "events", err)
		if len(events.JSON200.Data) > 0 {
			event, err := events.JSON200.Data[0].AsEventOfVariantA()
			check(err == nil && event.Sequence >= 1, "event", err)
			break
		}
		time.Sleep(500 * time.Millisecond)
	}

	conflict := send(numbers[1], numbers[0])
	check(conflict.JSON409 != nil && conflict.JSON409.Error.Type == "idempotency_conflict", "409", string(conflict.Body))

	for tries := 0; ; tries++ {
		check(tries < 100, "no 429")
		answer, err := client.GetBalanceWithResponse(ctx, &watchword.GetBalanceParams{})
		check(err == nil, "balance", err)
		if answer.JSON429 != nil {
			check(answer.HTTPResponse.Header.Get("Retry-After") != "", "Retry-After")
			return
		}
	}
}
