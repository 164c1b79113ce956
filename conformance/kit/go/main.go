// The adapter that wirecanon starts. It says what is converted; conversion.go converts.
package main

func main() {
	// The name that reports use, and the version of the program under test.
	testee := NewTestee("my-testee", "0.1.0")

	// A line for each pair of dialects: the one that your program reads, and the one that it writes. `wirecanon list dialects`
	// has all names. Names of servers behind the function claim these alone: `wirecanon list targets`.
	testee.Converts("openai.chat", "openai.chat", Convert)

	testee.Run()
}
