"""The adapter that wirecanon starts: `python3 adapter.py`. It says what is converted; conversion.py converts."""

import wirecanon_testee as kit  # first: from here on, what libraries print goes to stderr, and spoils no answer

from conversion import convert

# The name that reports use, and the version of the program under test.
testee = kit.Testee("my-testee", version="0.1.0")

# A line for each pair of dialects: the one that your program reads, and the one that it writes. `wirecanon list dialects` has
# all names. `targets=["openai", "groq"]` behind them claims these servers alone: `wirecanon list targets`.
testee.converts("openai.chat", "openai.chat")(convert)

if __name__ == "__main__":
    testee.run()
