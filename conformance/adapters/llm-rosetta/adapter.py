"""LLM-Rosetta: requests to OpenAI (both APIs), Anthropic and Gemini, each from each.

The pipeline is the one that `llm_rosetta.convert` makes, with Gemini's requests in their REST form.
"""

import wirecanon_testee as kit

import base64
import copy
import email.message
import io
import urllib.request
import urllib.response
from importlib.metadata import version

from llm_rosetta import ConversionError, ConversionPipeline
from llm_rosetta.shims import get_shim

# The error of a request that the package's own types cannot represent.
testee = kit.Testee(
    "llm-rosetta",
    version("llm-rosetta"),
    refusals={ConversionError.__name__: "unrepresentable-input"},
)

png = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def answer_download(opener, request, data=None, timeout=None):
    """Answers a download with a PNG, or a PDF if the address ends so, as adapters/node/wirecanon-capture.mjs does."""
    is_pdf = request.full_url.endswith(".pdf")
    headers = email.message.Message()
    headers["Content-Type"] = "application/pdf" if is_pdf else "image/png"
    return urllib.response.addinfourl(io.BytesIO(b"%PDF-1.4\n" if is_pdf else png), headers, request.full_url, 200)


# The package downloads the images that it sends to Gemini.
urllib.request.OpenerDirector.open = answer_download

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
        pipeline = ConversionPipeline(
            reads[0],
            writes[0],
            source_shim=get_shim(reads[0]),
            target_shim=get_shim(writes[0]),
            google_output_format="rest",
        )
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
