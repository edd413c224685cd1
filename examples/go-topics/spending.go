package main

import (
	"encoding/json"
	"fmt"
)

// spending counts in memory. In production it is tables, written in one transaction with the handled ids.
type spending struct {
	handled map[string]bool
	charges map[string]int64 // credits by the id of a message or resend
	refunds map[string]bool  // such ids
	spent   map[string]int64 // credits by workspace
}

type messageEvent struct {
	Type    string
	Message struct {
		ID          string
		WorkspaceID string `json:"workspace_id"`
		TestMode    bool   `json:"test_mode"`
		Credits     int64
	}
	Details *struct {
		Resends []struct {
			ResendID string `json:"resend_id"`
			Credits  *int64
		}
	}
}

type creditRefunded struct {
	Type        string
	MessageID   string `json:"message_id"`
	WorkspaceID string `json:"workspace_id"`
}

func newSpending() *spending {
	return &spending{map[string]bool{}, map[string]int64{}, map[string]bool{}, map[string]int64{}}
}

func (s *spending) add(id, kind string, value []byte) error {
	if s.handled[id] {
		return nil
	}
	switch kind {
	case "svc.message-event.v1":
		var event messageEvent
		if err := json.Unmarshal(value, &event); err != nil {
			return err
		}
		s.addMessage(event)
	case "svc.credit-refunded.v1":
		var event creditRefunded
		if err := json.Unmarshal(value, &event); err != nil {
			return err
		}
		s.addRefund(event)
	}
	s.handled[id] = true
	return nil
}

func (s *spending) addMessage(event messageEvent) {
	message := event.Message
	if message.TestMode {
		return
	}
	s.charge(message.WorkspaceID, message.ID, message.Credits)
	if event.Details != nil {
		for _, resend := range event.Details.Resends {
			credits := message.Credits
			if resend.Credits != nil {
				credits = *resend.Credits
			}
			s.charge(message.WorkspaceID, resend.ResendID, credits)
		}
	}
	fmt.Println(event.Type, message.ID, s.spent[message.WorkspaceID])
}

func (s *spending) addRefund(event creditRefunded) {
	if !s.refunds[event.MessageID] {
		s.refunds[event.MessageID] = true
		s.spent[event.WorkspaceID] -= s.charges[event.MessageID]
	}
	fmt.Println(event.Type, event.MessageID, s.spent[event.WorkspaceID])
}

// charge counts each id once; one that was refunded before it was seen costs nothing.
func (s *spending) charge(workspace, id string, credits int64) {
	if _, counted := s.charges[id]; counted {
		return
	}
	s.charges[id] = credits
	if !s.refunds[id] {
		s.spent[workspace] += credits
	}
}
