"""LlamaIndex: the requests of its LLMs to OpenAI (both APIs) and Anthropic, for histories and for results of MCP tools.

Each message becomes a `ChatMessage` with the blocks that a program builds, calls and results as `FunctionAgent` writes them, and goes to
an LLM's `achat`; the request is caught on its way.
"""

import wirecanon_testee as kit

import base64
import json
from importlib.metadata import version

import mcp.types
from llama_index.core.base.llms.types import (
    AudioBlock,
    ChatMessage,
    DocumentBlock,
    ImageBlock,
    TextBlock,
    ToolCallBlock,
)
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.openai import OpenAI, OpenAIResponses
from llama_index.tools.mcp import McpToolSpec
from pydantic import TypeAdapter

testee = kit.Testee("llama-index", version("llama-index-core"), refusals={"ValidationError": "unrepresentable-input"})
wire = kit.Wire()
models = {
    "openai.chat": (
        OpenAI(model="gpt-4.1", api_base=wire.url, api_key="none", max_retries=0),
        ("messages",),
        ["openai"],
    ),
    "openai.responses": (
        OpenAIResponses(model="gpt-4.1", api_base=wire.url, api_key="none", max_retries=0),
        ("instructions", "input"),
        ["openai-responses"],
    ),
    "anthropic.messages": (
        Anthropic(model="claude-sonnet-4-5", base_url=wire.url, api_key="none", max_retries=0, max_tokens=1024),
        ("system", "messages"),
        ["anthropic"],
    ),
}
results = TypeAdapter(mcp.types.CallToolResult)


class Session:
    """An MCP client whose only tool has answered this."""

    def __init__(self, result):
        self.result = result

    async def list_tools(self):
        definition = {"name": "read", "description": "reads", "inputSchema": {"type": "object", "properties": {}}}
        return mcp.types.ListToolsResult.model_validate({"tools": [definition]})

    async def call_tool(self, name, arguments):
        return self.result


async def of_mcp(document):
    [tool] = await McpToolSpec(client=Session(results.validate_python(document))).to_tool_list_async()
    output = await tool.acall()
    call = ToolCallBlock(tool_call_id="call_1", tool_name="read", tool_kwargs={})
    return [
        ChatMessage(role="user", blocks=[TextBlock(text="read it")]),
        ChatMessage(role="assistant", blocks=[call]),
        ChatMessage(role="tool", blocks=output.blocks, additional_kwargs={"tool_call_id": "call_1"}),
    ]


def decoded(data):
    return base64.b64decode(data, validate=True)


def of_address(address, key, media_type):
    """The bytes of a data URL with their media type, or the address."""
    if not address.startswith("data:"):
        return {"url": address}
    head, data = address.removeprefix("data:").split(",", 1)
    return {key: decoded(data), media_type: head.split(";")[0] or None}


def block(part):
    """A part of a message as the block that a program builds."""
    match part["type"]:
        case "text":
            return TextBlock(text=part["text"])
        case "refusal":
            return TextBlock(text=part["refusal"])
        case "image_url":
            image = part["image_url"]
            return ImageBlock(detail=image.get("detail"), **of_address(image["url"], "image", "image_mimetype"))
        case "input_audio":
            audio = part["input_audio"]
            return AudioBlock(audio=decoded(audio["data"]), format=audio["format"])
        case "file":
            file = part["file"]
            return DocumentBlock(title=file.get("filename"), **of_address(file["file_data"], "data", "document_mimetype"))
    raise ValueError(f"no block is a part of type {part['type']}")


def blocks(content):
    if content is None:
        return []
    return [TextBlock(text=content)] if isinstance(content, str) else [block(part) for part in content]


def arguments(text):
    """The object of the arguments, which all LLMs take; text that is none stays as it is."""
    try:
        value = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return text
    return value if isinstance(value, dict) else text or {}


def chat_message(message):
    """A message of Chat Completions as the `ChatMessage` that a program builds."""
    built = blocks(message.get("content"))
    if message.get("refusal"):
        built.append(TextBlock(text=message["refusal"]))
    for call in message.get("tool_calls") or []:
        name, kwargs = call["function"]["name"], arguments(call["function"].get("arguments"))
        built.append(ToolCallBlock(tool_call_id=call.get("id"), tool_name=name, tool_kwargs=kwargs))
    kwargs = {"tool_call_id": message["tool_call_id"]} if message["role"] == "tool" else {}
    # The call and the result of the old format are fields of the message.
    old = {"assistant": "function_call", "function": "name"}.get(message["role"])
    if message.get(old) is not None:
        kwargs[old] = message[old]
    return ChatMessage(role=message["role"], blocks=built, additional_kwargs=kwargs)


async def of_openai(document):
    try:
        return [chat_message(one) for one in kit.listed(document, "messages")]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise kit.Refused("unrepresentable-input", f"no ChatMessage can be built: {error!r}") from error


def registered(source, build, to):
    model, keys, targets = models[to]

    async def convert(document, ask):
        messages = await build(document)
        body = await wire.sent(lambda: model.achat(messages))
        return {key: body[key] for key in keys if body.get(key)}

    testee.converts(source, to, targets=targets)(convert)


for source, build in [("openai.chat", of_openai), ("mcp.tool-result", of_mcp)]:
    for to in models:
        registered(source, build, to)

testee.run()
