"""LLM-Rosetta: requests to OpenAI (both APIs), Anthropic and Gemini, each from each.

The pipeline is the one that its gateway uses, in its REST form.
"""

import wirecanon_testee as kit

import copy
from importlib.metadata import version

from llm_rosetta import ConversionError, ConversionPipeline

# What it says of a request that it does not convert.
testee = kit.Testee("llm-rosetta", version("llm-rosetta"), refusals={ConversionError.__name__: "other"})
sides = {
    "openai.chat": ("openai_chat", ("messages",), ["openai"]),
    "openai.responses": ("openai_responses", ("instructions", "input"), ["openai-responses"]),
    "anthropic.messages": ("anthropic", ("system", "messages"), ["anthropic"]),
    "gemini.contents": ("google", ("systemInstruction", "contents"), ["gemini"]),
}
# What a request to each API has beside the conversation.
beside = {"gemini.contents": {}, "anthropic.messages": {"model": "m", "max_tokens": 1024}}


def registered(source, to):
    reads, writes = sides[source], sides[to]

    def convert(document, ask):
        pipeline = ConversionPipeline(reads[0], writes[0], google_output_format="rest")
        whole = copy.deepcopy(document) if isinstance(document, dict) and reads[1][-1] in document else None
        whole = whole or {reads[1][-1]: copy.deepcopy(kit.listed(document, reads[1][-1]))}
        body = pipeline.convert_request({**beside.get(source, {"model": "m"}), **whole})
        body = kit.camel(kit.plain(body)) if to == "gemini.contents" else kit.plain(body)
        return {key: body[key] for key in writes[1] if body.get(key)}

    testee.converts(source, to, targets=writes[2])(convert)


for source in sides:
    for to in sides:
        if source != to:
            registered(source, to)

testee.run()
