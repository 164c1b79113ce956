"""LiteLLM: what it sends to Anthropic, Gemini, Bedrock and OpenAI Responses for a list of OpenAI chat messages.

Each conversion is the provider's own request transformation, which is what `litellm.completion` calls.
"""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks the network for prices

import wirecanon_testee as kit

import copy
from importlib.metadata import version

import litellm
from litellm.completion_extras.litellm_responses_transformation.transformation import LiteLLMResponsesTransformationHandler
from litellm.llms.vertex_ai.gemini.transformation import transform_request_body

# The switch that LiteLLM's documentation names for histories of other providers.
litellm.modify_params = os.environ.get("WIRECANON_LITELLM_MODIFY_PARAMS") == "1"
litellm.suppress_debug_info = True

# A request that LiteLLM itself declares bad is a refusal.
testee = kit.Testee(
    "litellm",
    version("litellm"),
    refusals={"BadRequestError": "other", "UnsupportedParamsError": "unsupported-content"},
)


def messages_of(document):
    # The transformations change what they are given.
    return copy.deepcopy(document["messages"])


@testee.converts("openai.chat", "anthropic.messages")
def to_anthropic(document, ask):
    body = litellm.AnthropicConfig().transform_request(
        model="claude-sonnet-4-5",
        messages=messages_of(document),
        optional_params={"max_tokens": 1024},
        litellm_params={},
        headers={},
    )
    return only(body, "system", "messages")


@testee.converts("openai.chat", "bedrock.converse", targets=["bedrock", "bedrock-claude"])
def to_bedrock(document, ask):
    body = litellm.AmazonConverseConfig().transform_request(
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
        messages=messages_of(document),
        optional_params=declared(document),
        litellm_params={},
        headers={},
    )
    return only(body, "system", "messages")


@testee.converts("openai.chat", "gemini.contents", targets=["gemini"])
def to_gemini(document, ask):
    body = kit.camel(
        kit.plain(transform_request_body(
            messages=messages_of(document),
            model="gemini-2.5-flash",
            optional_params={},
            custom_llm_provider="gemini",
            litellm_params={},
            cached_content=None,
        ))
    )
    return only(body, "systemInstruction", "contents")


@testee.converts("openai.chat", "openai.responses", targets=["openai-responses"])
def to_responses(document, ask):
    handler = LiteLLMResponsesTransformationHandler()
    items, instructions = handler.convert_chat_completion_messages_to_responses_api(messages_of(document))
    return {"input": kit.plain(items), **({"instructions": instructions} if instructions else {})}


def declared(document):
    # Without the tools, LiteLLM writes the calls of a Bedrock history as words: that is not what is asked here.
    calls = [call for message in document["messages"] for call in message.get("tool_calls") or []]
    names = dict.fromkeys(name for call in calls if (name := (call.get("function") or {}).get("name")))
    empty = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": name, "parameters": empty}} for name in names]
    return {"tools": tools} if tools else {}


def only(body, *keys):
    # What is not of the conversation (limits, tools that LiteLLM makes up) is not asked for.
    return {key: kit.plain(body[key]) for key in keys if body.get(key)}


testee.run()
