"""A function that passes on what it is given; for one server it breaks on one message, and for another it hangs."""

import json
import time

from wirecanon import Corpus

corpus = Corpus("wrong", timeout=1)


@corpus.converts("openai.chat", "openai.chat")
async def convert(document, ask):
    print("a word on stdout spoils nothing")
    text = json.dumps(document)
    if "be brief" in text and "stale line" in text:
        if ask.get("target") == "groq":
            raise KeyError("tool_call_id")
        if ask.get("target") == "xai":
            time.sleep(60)
    return document
