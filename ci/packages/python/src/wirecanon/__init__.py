"""The program `wirecanon`, and its corpus as tests of Python functions.

    from wirecanon import Corpus

    corpus = Corpus("mine", version="1.0")

    @corpus.converts("openai.chat", "anthropic.messages")
    def convert(document, ask):
        return {"messages": [...]}

In a file of tests, each case is then a test of pytest.
"""

from .corpus import Corpus, Refused

__all__ = ["Corpus", "Refused"]
