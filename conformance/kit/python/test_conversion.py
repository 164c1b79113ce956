"""Run with `python3 -m unittest` in this folder."""

import json
import pathlib
import subprocess
import sys
import unittest

from conversion import convert

# A text with all that breaks adapters: a quote, a line end, U+2028, and a character beyond 16 bits.
WORDS = 'He said "yes".\nThen\u2028he left \U0001f600'

# In the dialect that is read.
HISTORY = {
    "messages": [
        {"role": "user", "content": WORDS},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    ]
}

ASK = {"id": 1, "op": "convert", "from": "openai.chat", "to": "openai.chat", "for": "request", "input": HISTORY}


class Conversion(unittest.TestCase):
    def test_calls_keep_their_results(self):
        messages = convert(HISTORY, ASK)["messages"]
        calls = [call["id"] for message in messages for call in message.get("tool_calls") or []]
        results = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
        self.assertEqual(calls, results)
        self.assertEqual(len(calls), 1)

    def test_the_adapter_answers_line_by_line(self):
        asked = [{"wirecanon": 1, "op": "hello"}, ASK, {"op": "bye"}]
        adapter = pathlib.Path(__file__).with_name("adapter.py")
        done = subprocess.run(
            [sys.executable, str(adapter)],
            input="".join(json.dumps(line, ensure_ascii=False) + "\n" for line in asked).encode(),
            stdout=subprocess.PIPE,
            timeout=60,
            check=True,
        )
        # Not `splitlines`: that ends a line at U+2028 too.
        hello, answer = [json.loads(line) for line in done.stdout.decode().split("\n") if line]
        self.assertEqual(hello["wirecanon"], 1)
        self.assertEqual(answer["id"], 1)
        self.assertEqual(answer["output"]["messages"][0]["content"], WORDS)


if __name__ == "__main__":
    unittest.main()
