"""Pydantic AI: what an agent sends to Anthropic, OpenAI, Gemini and Bedrock for the messages of a Vercel AI chat, for the
messages of MCP sampling, and for what an MCP tool gave.

Messages are made by its own adapters (`VercelAIAdapter`, `map_from_mcp_params`, `MCPToolset`) and go to `Agent.run` as history, or to
`direct.model_request` where the model has spoken last, for then an agent asks nothing; what goes over the wire is caught there.
"""

import wirecanon_testee as kit

import contextlib
import os
from importlib.metadata import version
from types import SimpleNamespace

os.environ.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_DEFAULT_REGION="us-east-1")
os.environ["AWS_MAX_ATTEMPTS"] = "1"

import boto3
import mcp.types
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import TypeAdapter
from pydantic_ai import Agent
from pydantic_ai._mcp import map_from_mcp_params
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from pydantic_ai.ui.vercel_ai.request_types import UIMessage

# Errors that it raises of what it was given.
testee = kit.Testee(
    "pydantic-ai",
    version("pydantic-ai-slim"),
    refusals={
        "UserError": "unsupported-content",
        "ValidationError": "unrepresentable-input",
        "NotImplementedError": "unsupported-content",
        "UnexpectedModelBehavior": "unpaired",
    },
)
wire = kit.Wire()
openai = OpenAIProvider(openai_client=AsyncOpenAI(base_url=wire.url, api_key="none", max_retries=0))
anthropic = AnthropicProvider(anthropic_client=AsyncAnthropic(base_url=wire.url, api_key="none", max_retries=0))
bedrock = BedrockProvider(bedrock_client=boto3.client("bedrock-runtime", endpoint_url=wire.url))
models = {
    "anthropic.messages": AnthropicModel("claude-sonnet-4-5", provider=anthropic),
    "openai.chat": OpenAIChatModel("gpt-5.2", provider=openai),
    "openai.responses": OpenAIResponsesModel("gpt-5.2", provider=openai),
    "gemini.contents": GoogleModel("gemini-2.5-flash", provider=GoogleProvider(api_key="none", base_url=wire.url)),
    "bedrock.converse": BedrockConverseModel("us.anthropic.claude-sonnet-4-5-20250929-v1:0", provider=bedrock),
}
parts = {
    "anthropic.messages": ("system", "messages"),
    "openai.chat": ("messages",),
    "openai.responses": ("instructions", "input"),
    "gemini.contents": ("systemInstruction", "contents"),
    "bedrock.converse": ("system", "messages"),
}
targets = {
    "anthropic.messages": ["anthropic"],
    "openai.chat": ["openai"],
    "openai.responses": ["openai-responses"],
    "gemini.contents": ["gemini"],
    "bedrock.converse": ["bedrock", "bedrock-claude"],
}
ui_messages = TypeAdapter(list[UIMessage])
sampling = TypeAdapter(mcp.types.CreateMessageRequestParams)
results = TypeAdapter(mcp.types.CallToolResult)


async def of_ui(document):
    return VercelAIAdapter.load_messages(ui_messages.validate_python(kit.listed(document, "messages")))


async def of_sampling(document):
    if not isinstance(document, dict) or "messages" not in document:
        document = {"messages": kit.listed(document, "messages")}
    return map_from_mcp_params(sampling.validate_python({"maxTokens": 1024, **document}))


async def of_mcp(document):
    """What the agent makes of a call of this tool."""
    result = results.validate_python(document)
    toolset = object.__new__(Toolset)
    toolset.result = result
    call = ToolCallPart("read", {}, "call_1")
    try:
        answer = ToolReturnPart("read", await toolset.direct_call_tool("read", {}), "call_1")
    except ModelRetry as retry:
        answer = RetryPromptPart(retry.message, tool_name="read", tool_call_id="call_1")
    return [ModelRequest([UserPromptPart("read it")]), ModelResponse([call]), ModelRequest([answer])]


class Toolset(MCPToolset):
    """One whose client is no client: its only tool has answered."""

    tool_error_behavior = "retry"

    @contextlib.asynccontextmanager
    async def _connected(self):
        yield self

    @property
    def client(self):
        return self

    async def call_tool(self, name, arguments, meta=None, raise_on_error=False):
        result = self.result
        return SimpleNamespace(
            content=result.content,
            structured_content=result.structured_content,
            is_error=result.is_error,
            meta=result.meta,
            data=None,
        )


def send(model, history):
    if history and isinstance(history[-1], ModelResponse) and not history[-1].tool_calls:
        return model_request(model, history)
    return Agent(model).run(message_history=history)


def registered(source, build, to):
    async def convert(document, ask):
        history = await build(document)
        body = await wire.sent(lambda: send(models[to], history))
        body = kit.camel(body) if to == "gemini.contents" else body
        return {key: body[key] for key in parts[to] if body.get(key)}

    testee.converts(source, to, targets=targets[to])(convert)


for source, build in [("ai-sdk.ui", of_ui), ("mcp.sampling", of_sampling), ("mcp.tool-result", of_mcp)]:
    for to in models:
        registered(source, build, to)

testee.run()
