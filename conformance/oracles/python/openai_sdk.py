"""openai (Python): `ChatCompletionMessageParam` and `ResponseInputItemParam`."""

from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from feed import run, validator

ADAPTERS = {
    "openai.chat": TypeAdapter(ChatCompletionMessageParam),
    "openai.responses": TypeAdapter(ResponseInputItemParam),
}

run("openai-python", {dialect: validator(adapter, typed_dict=True) for dialect, adapter in ADAPTERS.items()})
