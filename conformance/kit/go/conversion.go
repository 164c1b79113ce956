package main

// Convert is the one function to fill in: what your program would send if its history were this text.
//
// The input is the exact JSON text in the dialect that main.go says is read: for openai.chat {"messages": [...]}, a list of
// messages, or one message alone. ask.From and ask.To are the dialects, and ask.Target is the server that it is for; without
// one, any server that speaks the dialect. The answer is JSON text in the dialect that main.go says is written.
//
// For a history that your program cannot convert, the error is a Refused: Refused{"unpaired", "call c1 has no result"}. Its code
// is one of invalid-arguments, unsupported-content, unpaired, limit, other. Any other error, or a panic, is a crash of this
// case alone.
func Convert(input []byte, ask Ask) ([]byte, error) {
	// Here goes your program, with its own types and its own functions, up to what it would send:
	//
	//	var history myprogram.History
	//	if err := json.Unmarshal(input, &history); err != nil {
	//		return nil, Refused{"other", err.Error()}
	//	}
	//	return json.Marshal(myprogram.BuildRequest(history))
	//
	// Mend nothing here. What your program makes of a broken history is what is judged.
	return input, nil
}
