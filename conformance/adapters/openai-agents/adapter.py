"""OpenAI Agents SDK: what a run sends for items of a history, to the Responses API and to Chat Completions, and for what an MCP
tool gave.

The history goes to `Runner.run`, which is where a program gives it; what goes over the wire is caught there.
"""

import wirecanon_testee as kit

import copy
from importlib.metadata import version

import mcp.types
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, RunContextWrapper, Runner
from agents import set_tracing_disabled
from agents.items import ItemHelpers
from agents.mcp.util import MCPUtil
from openai import AsyncOpenAI
from openai.types.responses import ResponseFunctionToolCall

set_tracing_disabled(True)

# Errors that it raises of what it was given.
testee = kit.Testee(
    "openai-agents",
    version("openai-agents"),
    refusals={"UserError": "unsupported-content", "ValidationError": "unrepresentable-input"},
)
wire = kit.Wire()
client = AsyncOpenAI(base_url=wire.url, api_key="none", max_retries=0)
responses = OpenAIResponsesModel(model="gpt-5.2", openai_client=client)
chat = OpenAIChatCompletionsModel(model="gpt-5.2", openai_client=client)


async def sent(model, items, instructions=None):
    agent = Agent(name="wirecanon", instructions=instructions, model=model, model_settings=ModelSettings())
    return await wire.sent(lambda: Runner.run(agent, copy.deepcopy(items), max_turns=1))


def history(document):
    """The input of a run, and the agent's instructions."""
    if isinstance(document, dict) and isinstance(document.get("input"), str):
        return document["input"], document.get("instructions")
    return kit.listed(document, "input"), document.get("instructions") if isinstance(document, dict) else None


class Server:
    """An MCP server whose only tool has answered this."""

    name = "server"
    use_structured_content = False
    custom_data_extractor = None
    tool_meta_resolver = None

    def __init__(self, result):
        self.result = result

    async def call_tool(self, name, arguments, meta=None):
        return self.result


async def of_mcp(document):
    tool = mcp.types.Tool(name="read", input_schema={"type": "object", "properties": {}})
    result = mcp.types.CallToolResult.model_validate(document)
    output = await MCPUtil.invoke_mcp_tool(Server(result), tool, RunContextWrapper(None), "{}")
    call = ResponseFunctionToolCall(type="function_call", call_id="call_1", name="read", arguments="{}")
    return [
        {"role": "user", "content": "read it"},
        call.model_dump(exclude_unset=True),
        ItemHelpers.tool_call_output_item(call, output),
    ]


def only(body, *keys):
    return {key: body[key] for key in keys if body.get(key)}


@testee.converts("openai.responses", "openai.responses", targets=["openai-responses"])
async def to_responses(document, ask):
    return only(await sent(responses, *history(document)), "instructions", "input")


@testee.converts("openai.responses", "openai.chat", targets=["openai"])
async def to_chat(document, ask):
    return only(await sent(chat, *history(document)), "messages")


@testee.converts("mcp.tool-result", "openai.responses", targets=["openai-responses"])
async def mcp_to_responses(document, ask):
    return only(await sent(responses, await of_mcp(document)), "instructions", "input")


@testee.converts("mcp.tool-result", "openai.chat", targets=["openai"])
async def mcp_to_chat(document, ask):
    return only(await sent(chat, await of_mcp(document)), "messages")


testee.run()
