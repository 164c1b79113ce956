package main

// The line protocol of wirecanon's testees: one JSON object a line on stdin, one a line on stdout, stderr is the log. It needs
// the standard library alone. Nothing else may print to stdout, so os.Stdout is stderr once Run was called.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Ask is what is asked of a conversion.
type Ask struct {
	// Dialect of the input, and of the answer
	From, To string
	// The server that it is for; empty for any that speaks the dialect
	Target string
	// "request" or "history"
	For string
	// The call that a lone tool result answers
	CallID string
}

// Refused is the error of a history that cannot be converted, where nothing is emitted. Its code is one of invalid-arguments,
// unsupported-content, unpaired, limit, other.
type Refused struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (refused Refused) Error() string { return refused.Code + ": " + refused.Message }

type claim struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Targets []string `json:"targets,omitempty"`
	convert func([]byte, Ask) ([]byte, error)
}

// Testee is one program under test.
type Testee struct {
	name, version string
	claims        []claim
}

// NewTestee is a testee with a name and the version of what is under test.
func NewTestee(name, version string) *Testee {
	return &Testee{name: name, version: version}
}

// Converts registers a function for a pair of dialects; targets are the servers that it knows, none means every one.
func (testee *Testee) Converts(from, to string, convert func([]byte, Ask) ([]byte, error), targets ...string) {
	testee.claims = append(testee.claims, claim{from, to, targets, convert})
}

// Run answers until bye, or until stdin ends.
func (testee *Testee) Run() {
	out := os.Stdout
	os.Stdout = os.Stderr
	testee.answer(os.Stdin, out)
}

func (testee *Testee) answer(from io.Reader, to io.Writer) {
	// Not a bufio.Scanner: that gives up at a line of more than 64 KiB.
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return
		}
		var ask struct {
			ID        json.RawMessage `json:"id"`
			Op        string          `json:"op"`
			From      string          `json:"from"`
			To        string          `json:"to"`
			Target    string          `json:"target"`
			For       string          `json:"for"`
			CallID    string          `json:"call_id"`
			InputText string          `json:"input_text"`
		}
		if json.Unmarshal(line, &ask) != nil {
			continue
		}
		var say map[string]any
		switch ask.Op {
		case "hello":
			say = map[string]any{"wirecanon": 1, "name": testee.name, "version": testee.version, "language": "go",
				"conversions": testee.claims, "accepts": []string{"text"}}
		case "convert":
			say = testee.convert([]byte(ask.InputText), Ask{ask.From, ask.To, ask.Target, ask.For, ask.CallID})
			say["id"] = ask.ID
		case "bye":
			return
		default:
			continue
		}
		text, err := json.Marshal(say)
		if err != nil {
			text, _ = json.Marshal(map[string]any{"id": ask.ID, "failed": err.Error()})
		}
		if _, err := to.Write(append(text, '\n')); err != nil {
			return
		}
	}
}

func (testee *Testee) convert(input []byte, ask Ask) (say map[string]any) {
	defer func() {
		if panicked := recover(); panicked != nil {
			say = map[string]any{"failed": fmt.Sprintf("panic: %v", panicked)}
		}
	}()
	for _, claim := range testee.claims {
		if claim.From != ask.From || claim.To != ask.To {
			continue
		}
		output, err := claim.convert(input, ask)
		var refused Refused
		switch {
		case errors.As(err, &refused):
			return map[string]any{"refused": refused}
		case err != nil:
			return map[string]any{"failed": fmt.Sprintf("%T: %v", err, err)}
		}
		return map[string]any{"output_text": string(output)}
	}
	return map[string]any{"refused": Refused{"other", ask.From + " to " + ask.To + " was not declared"}}
}
