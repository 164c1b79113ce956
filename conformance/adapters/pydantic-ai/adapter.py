"""Pydantic AI: what an agent sends to Anthropic, OpenAI, Gemini and Bedrock for the messages of a Vercel AI chat, for the
messages of MCP sampling, and for what an MCP tool gave.

Messages are made by its own adapters (`VercelAIAdapter`, `map_from_mcp_params`, `MCPToolset`) and go to `Agent.run` as history, or to
`direct.model_request` where the model has spoken last, for then an agent asks nothing; what goes over the wire is caught there.
"""

import wirecanon_testee as kit

import base64
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
from pydantic_ai._framing import lookalike_note_announcement
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
        # A tool result must name its tool, and an MCP sampling result does not.
        "UnexpectedModelBehavior": "unrepresentable-input",
    },
    # What it tells the model of its own tags.
    adds=[
        lookalike_note_announcement(system_role=True),
        lookalike_note_announcement(system_role=False),
        lookalike_note_announcement(system_role=False, sealed=True),
    ],
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
    messages = [with_native_parts(message) for message in kit.listed(document, "messages")]
    return VercelAIAdapter.load_messages(ui_messages.validate_python(messages))


def with_native_parts(message):
    """Returns the message with tool outputs and reasoning metadata in the forms that `VercelAIAdapter` reads."""
    if not isinstance(message, dict) or not isinstance(message.get("parts"), list):
        return message
    return {**message, "parts": [native_part(part) for part in message["parts"]]}


def native_part(part):
    if not isinstance(part, dict):
        return part
    if part.get("type") == "reasoning" and isinstance(part.get("providerMetadata"), dict):
        return {**part, "providerMetadata": native_metadata(part["providerMetadata"])}
    return {**part, "output": native_output(part["output"])} if "output" in part else part


def native_metadata(metadata):
    """Moves the signature of a provider of the AI SDK to the key `pydantic_ai`."""
    for provider, fields in metadata.items():
        if not isinstance(fields, dict):
            continue
        native = {}
        match provider:
            case "anthropic" if "redactedData" in fields:
                native = {"id": "redacted_thinking", "signature": fields["redactedData"]}
            case "bedrock" if "redactedData" in fields:
                native = {"id": "redacted_content", "signature": redacted_text(fields["redactedData"])}
            case "anthropic" | "bedrock" if "signature" in fields:
                native = {"signature": fields["signature"]}
            case "google" if "thoughtSignature" in fields:
                native = {"provider_details": {"thought_signature": fields["thoughtSignature"]}}
            case "openai" if "reasoningEncryptedContent" in fields:
                native = {"id": fields.get("itemId"), "signature": fields["reasoningEncryptedContent"]}
        if native:
            return {**metadata, "pydantic_ai": {**native, "provider_name": provider}}
    return metadata


def redacted_text(data):
    """Decodes the redacted data of Bedrock, which a `ThinkingPart` stores as text."""
    try:
        return base64.b64decode(data, validate=True).decode()
    except (TypeError, ValueError) as error:
        raise kit.Refused("unrepresentable-input", f"redacted data is not text: {error!r}") from error


mcp_blocks = {"text", "image", "audio", "resource", "resource_link"}


def native_output(output):
    """Rewrites the result of an MCP tool, whose files are plain JSON to `VercelAIAdapter`."""
    blocks = output.get("content") if isinstance(output, dict) else None
    if not isinstance(blocks, list) or not blocks:
        return output
    if not all(isinstance(block, dict) and block.get("type") in mcp_blocks for block in blocks):
        return output
    items = [native_item(block) for block in blocks]
    if output.get("structuredContent") is not None:
        items.append(output["structuredContent"])
    if output.get("isError"):
        items.append({"isError": True})
    return items[0] if len(items) == 1 else items


def native_item(block):
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image" | "audio", "data": data, "mimeType": media_type}:
            return {"kind": "binary", "media_type": media_type, "data": data}
        case {"type": "resource", "resource": {"blob": data, **resource}}:
            media_type = resource.get("mimeType") or "application/octet-stream"
            return {"kind": "binary", "media_type": media_type, "data": data}
    return block


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
