package watchword

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
)

// Pages is a list. All reads all of it, one page at a time; Page reads one page.
type Pages[T any] struct {
	client    *Client
	call      call
	parameter string
	options   []RequestOption
}

// Page is one page of a list. Next is empty on the last one.
type Page[T any] struct {
	Data []T
	Next string
}

func newPages[T any](client *Client, one call, parameter string, options []RequestOption) *Pages[T] {
	return &Pages[T]{client, one, parameter, options}
}

// Page returns the first page where next is empty, else the one that Next of the page before names.
func (pages *Pages[T]) Page(ctx context.Context, next string) (*Page[T], error) {
	one := pages.call
	if next != "" {
		one.query = query{pages.parameter: next}
		for name, value := range pages.call.query {
			if name != pages.parameter {
				one.query[name] = value
			}
		}
	}
	answer, err := send[map[string]json.RawMessage](ctx, pages.client, one, pages.options)
	if err != nil {
		return nil, err
	}
	page := &Page[T]{}
	if data, ok := (*answer)["data"]; ok {
		if err := json.Unmarshal(data, &page.Data); err != nil {
			return nil, &ConnectionError{Attempts: 1, Cause: err}
		}
	}
	var following any
	if raw, ok := (*answer)["next_"+pages.parameter]; ok && json.Unmarshal(raw, &following) == nil {
		page.Next = textOf(raw, following)
	}
	return page, nil
}

// All reads the list to its end. It stops after an error.
func (pages *Pages[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next := ""
		for {
			page, err := pages.Page(ctx, next)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			if page.Next == next {
				yield(*new(T), errors.New("the page names itself as the next one"))
				return
			}
			next = page.Next
		}
	}
}

// The next page of events is a number, that of other lists a text.
func textOf(raw json.RawMessage, value any) string {
	switch typed := value.(type) {
	case string:
		return typed
	case float64:
		return string(raw)
	default:
		return ""
	}
}
