package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// A text with all that breaks adapters: a quote, a line end, U+2028, and a character beyond 16 bits.
const words = "He said \"yes\".\nThen\u2028he left \U0001f600"

type message struct {
	Role      string `json:"role"`
	Content   any    `json:"content"`
	ToolCalls []struct {
		ID string `json:"id"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

func messages(t *testing.T, text []byte) []message {
	t.Helper()
	var document struct {
		Messages []message `json:"messages"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return document.Messages
}

func TestCallsKeepTheirResults(t *testing.T) {
	// In the dialect that is read.
	history := `{"messages":[
		{"role":"user","content":"Look."},
		{"role":"assistant","content":null,"tool_calls":[
			{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"found"}]}`
	sent, err := Convert([]byte(history), Ask{From: "openai.chat", To: "openai.chat"})
	if err != nil {
		t.Fatal(err)
	}
	var calls, results []string
	for _, message := range messages(t, sent) {
		for _, call := range message.ToolCalls {
			calls = append(calls, call.ID)
		}
		if message.Role == "tool" {
			results = append(results, message.ToolCallID)
		}
	}
	if len(calls) != 1 || strings.Join(calls, " ") != strings.Join(results, " ") {
		t.Fatalf("calls %v, results %v", calls, results)
	}
}

func TestTheAdapterAnswersLineByLine(t *testing.T) {
	history, _ := json.Marshal(map[string]any{"messages": []any{map[string]any{"role": "user", "content": words}}})
	ask, _ := json.Marshal(map[string]any{
		"id": 1, "op": "convert", "from": "openai.chat", "to": "openai.chat", "for": "request", "input_text": string(history),
	})
	asked := "{\"wirecanon\":1,\"op\":\"hello\"}\n" + string(ask) + "\n{\"op\":\"bye\"}\n"
	testee := NewTestee("my-testee", "0.1.0")
	testee.Converts("openai.chat", "openai.chat", Convert)
	var said bytes.Buffer
	testee.answer(strings.NewReader(asked), &said)
	lines := strings.Split(strings.TrimRight(said.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"wirecanon":1`) {
		t.Fatalf("it said %q", lines)
	}
	var answer struct {
		ID         int    `json:"id"`
		OutputText string `json:"output_text"`
	}
	if err := json.Unmarshal([]byte(lines[1]), &answer); err != nil || answer.ID != 1 {
		t.Fatalf("%v: %s", err, lines[1])
	}
	if got := messages(t, []byte(answer.OutputText)); len(got) != 1 || got[0].Content != words {
		t.Fatalf("it answered %s", answer.OutputText)
	}
}
