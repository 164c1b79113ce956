"""LiteLLM: what it sends to Anthropic, Gemini, Bedrock and OpenAI Responses for a list of OpenAI chat messages.

Each conversion is a call of `litellm.acompletion`; what goes over the wire is caught there.
"""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks the network for prices
os.environ.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_REGION_NAME="us-east-1")

import wirecanon_testee as kit

import copy
from importlib.metadata import version

import litellm

# The switch that LiteLLM's documentation names for histories of other providers.
litellm.modify_params = os.environ.get("WIRECANON_LITELLM_MODIFY_PARAMS") == "1"
litellm.suppress_debug_info = True
litellm.telemetry = False

# A request that LiteLLM itself declares bad is a refusal.
testee = kit.Testee(
    "litellm",
    version("litellm"),
    refusals={"BadRequestError": "other", "UnsupportedParamsError": "unsupported-content"},
)
wire = kit.Wire()


async def sent(model, document, *keys, **rest):
    messages = copy.deepcopy(kit.listed(document, "messages"))
    body = await wire.sent(
        lambda: litellm.acompletion(
            model=model, messages=messages, api_base=wire.url, api_key="none", num_retries=0, max_retries=0, **rest
        )
    )
    body = kit.camel(body) if "contents" in keys else body
    # What is not of the conversation (limits, tools that LiteLLM makes up) is not asked for.
    return {key: body[key] for key in keys if body.get(key)}


@testee.converts("openai.chat", "anthropic.messages", targets=["anthropic"])
async def to_anthropic(document, ask):
    return await sent("anthropic/claude-sonnet-4-5", document, "system", "messages", max_tokens=1024)


@testee.converts("openai.chat", "bedrock.converse", targets=["bedrock", "bedrock-claude"])
async def to_bedrock(document, ask):
    model = "bedrock/converse/anthropic.claude-sonnet-4-5-20250929-v1:0"
    return await sent(model, document, "system", "messages", **declared(document))


@testee.converts("openai.chat", "gemini.contents", targets=["gemini"])
async def to_gemini(document, ask):
    return await sent("gemini/gemini-2.5-flash", document, "systemInstruction", "contents")


@testee.converts("openai.chat", "openai.responses", targets=["openai-responses"])
async def to_responses(document, ask):
    return await sent("openai/responses/gpt-5.2", document, "instructions", "input")


def declared(document):
    # Without the tools, LiteLLM writes the calls of a Bedrock history as words: that is not what is asked here.
    names = {}
    for message in kit.listed(document, "messages"):
        for call in (message.get("tool_calls") if isinstance(message, dict) else None) or []:
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict) and isinstance(function.get("name"), str):
                names[function["name"]] = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": name, "parameters": empty}} for name, empty in names.items()]
    return {"tools": tools} if tools else {}


testee.run()
