"""mistral-common: the models of messages, and the validators of whole requests, one for each tokenizer version."""

import sys

from mistral_common.protocol.instruct.messages import ChatMessage
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import ValidationMode, get_validator
from mistral_common.tokens.tokenizers.base import TokenizerVersion
from pydantic import TypeAdapter

from feed import run, validator

NAME = sys.argv[1]
if len(sys.argv) == 2:
    MESSAGE = TypeAdapter(ChatMessage)
    run(NAME, {"mistral.chat": validator(MESSAGE)})
else:
    REQUESTS = get_validator(TokenizerVersion(sys.argv[2]), ValidationMode.serving)

    def conversation(document):
        messages = document["messages"] if isinstance(document, dict) else document
        REQUESTS.validate_request(ChatCompletionRequest.model_validate({"model": "any", "messages": messages}))

    run(NAME, {}, documents={"mistral.chat": conversation})
