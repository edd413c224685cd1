// What a client from ogen does: `client <base URL> <key>`.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"example.com/clients/watchword"
)

var numbers = []string{"+2348030000001", "+2348030000002", "+2348030000003"}

type key string

func (key key) BearerApiKey(context.Context, watchword.OperationName) (watchword.BearerApiKey, error) {
	return watchword.BearerApiKey{Token: string(key)}, nil
}

// as returns the answer as the type that is expected, or ends the program.
func as[T any](answer any, err error) T {
	expected, is := answer.(T)
	if err != nil || !is {
		panic(fmt.Sprintf("%T %+v %v", answer, answer, err))
	}
	return expected
}

func main() {
	ctx := context.Background()
	client, err := watchword.NewClient(os.Args[1], key(os.Args[2]))
	if err != nil {
		panic(err)
	}
	send := func(number string, idempotencyKey string) (watchword.SendOtpRes, error) {
		params := watchword.SendOtpParams{IdempotencyKey: watchword.NewOptString(idempotencyKey)}
		return client.SendOtp(ctx, &watchword.SendOtpRequest{PhoneNumber: number}, params)
	}
	began := time.Now().Add(-time.Minute)
	guess := watchword.VerifyOtpRequest{Code: "123 456"}
	for _, number := range numbers {
		guess.OtpID = as[*watchword.SentOtpHeaders](send(number, number)).Response.ID
	}
	checked := as[*watchword.OtpVerificationHeaders](client.VerifyOtp(ctx, &guess, watchword.VerifyOtpParams{}))

	limit := watchword.NewOptInt32(2)
	since := watchword.NewOptDateTime(began)
	filter := watchword.ListOtpsParams{Limit: limit, CreatedAfter: since, TestMode: watchword.NewOptBool(true)}
	first := as[*watchword.OtpPageHeaders](client.ListOtps(ctx, filter)).Response
	next := watchword.ListOtpsParams{Limit: limit, Cursor: first.NextCursor}
	second := as[*watchword.OtpPageHeaders](client.ListOtps(ctx, next)).Response
	if !checked.Response.Valid || len(first.Data) != 2 || second.Data[0].ID == first.Data[0].ID {
		panic(fmt.Sprint(checked, first, second))
	}

	for tries := 0; ; tries++ {
		page := as[*watchword.EventsPageHeaders](client.ListEvents(ctx, watchword.ListEventsParams{})).Response
		if len(page.Data) > 0 {
			if event, is := page.Data[0].GetEventOfVariantA(); !is || event.Sequence < 1 {
				panic(fmt.Sprint(page.Data[0]))
			}
			break
		}
		if tries == 20 {
			panic("no event")
		}
		time.Sleep(500 * time.Millisecond)
	}

	as[*watchword.SendOtpConflict](send(numbers[1], numbers[0]))
	for tries := 0; tries < 100; tries++ {
		answer, err := client.GetBalance(ctx, watchword.GetBalanceParams{})
		if _, is := answer.(*watchword.GetBalanceTooManyRequests); is && err == nil {
			return
		}
		as[*watchword.AccountBalanceHeaders](answer, err)
	}
	panic("no 429")
}
