"""A function that does all as asked: it asks the reference. Beside it stands a lazy object, as of a framework without its settings."""

import json
import subprocess

from wirecanon import Corpus, Refused
from wirecanon.run import program

reference = subprocess.Popen([program(), "testee", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class Lazy:
    @property
    def __class__(self):
        raise RuntimeError("it was asked for its class")


settings = Lazy()
corpus = Corpus("right", version="1.0")


@corpus.converts("openai.chat", "openai.chat")
@corpus.converts("openai.chat", "openai.responses", targets=["openai-responses"])
def convert(document, ask):
    print(json.dumps(ask), file=reference.stdin, flush=True)
    answer = json.loads(reference.stdout.readline())
    if "refused" in answer:
        raise Refused(**answer["refused"])
    return answer["output"]
