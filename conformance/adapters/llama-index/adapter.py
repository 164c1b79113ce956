"""LlamaIndex: what its LLMs send to OpenAI (both APIs) and Anthropic for messages in OpenAI's format, and for what an MCP tool gave.

Messages are read by its own `from_openai_message_dicts` and go to an LLM's `achat`; what goes over the wire is caught there. The
result of a tool stands in the history as `FunctionAgent` writes it.
"""

import wirecanon_testee as kit

import copy
from importlib.metadata import version

import mcp.types
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.openai import OpenAI, OpenAIResponses
from llama_index.llms.openai.utils import from_openai_message_dicts
from llama_index.tools.mcp import McpToolSpec
from pydantic import TypeAdapter

testee = kit.Testee("llama-index", version("llama-index-core"), refusals={"ValidationError": "unsupported-content"})
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


async def of_openai(document):
    return from_openai_message_dicts(copy.deepcopy(kit.listed(document, "messages")))


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
