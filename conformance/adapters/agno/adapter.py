"""Agno: what an agent sends to OpenAI, Anthropic and Gemini for its own messages, which are those of OpenAI with the pictures
beside the text, and for what an MCP tool gave.

Messages are the input of `Agent.arun`. For an MCP tool the first answer of the model is a call of it, and the second request is what is
caught.
"""

import wirecanon_testee as kit

import base64
import copy
import os
from importlib.metadata import version

os.environ.update(OPENAI_API_KEY="none", ANTHROPIC_API_KEY="none", GOOGLE_API_KEY="none", AGNO_TELEMETRY="false")

import mcp.types
from agno.agent import Agent
from agno.media import Image
from agno.models.anthropic import Claude
from agno.models.google import Gemini
from agno.models.message import Message
from agno.models.openai import OpenAIChat, OpenAIResponses
from agno.models.response import ModelResponse
from agno.tools.function import Function
from agno.utils.mcp import get_entrypoint_for_tool
from google import genai
from pydantic import TypeAdapter

testee = kit.Testee("agno", version("agno"), refusals={"ValidationError": "unrepresentable-input"})
wire = kit.Wire()


class Once:
    """A model whose first answer is a call of the tool."""

    async def ainvoke(self, messages, assistant_message, **rest):
        if not any(message.role == "assistant" for message in messages):
            call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
            return ModelResponse(role="assistant", content="", tool_calls=[call])
        return await super().ainvoke(messages=messages, assistant_message=assistant_message, **rest)


class OpenAIChatOnce(Once, OpenAIChat):
    pass


class OpenAIResponsesOnce(Once, OpenAIResponses):
    pass


class ClaudeOnce(Once, Claude):
    pass


class GeminiOnce(Once, Gemini):
    pass


def openai(kind):
    return kind(id="gpt-5.2", base_url=wire.url, max_retries=0)


def claude(kind):
    return kind(id="claude-sonnet-4-5", client_params={"base_url": wire.url, "max_retries": 0})


def gemini(kind):
    client = genai.Client(api_key="none", http_options=genai.types.HttpOptions(base_url=wire.url))
    return kind(id="gemini-2.5-flash", client=client)


models = {
    "openai.chat": (openai, OpenAIChat, OpenAIChatOnce, ("messages",), ["openai"]),
    "openai.responses": (openai, OpenAIResponses, OpenAIResponsesOnce, ("instructions", "input"), ["openai-responses"]),
    "anthropic.messages": (claude, Claude, ClaudeOnce, ("system", "messages"), ["anthropic"]),
    "gemini.contents": (gemini, Gemini, GeminiOnce, ("systemInstruction", "contents"), ["gemini"]),
}
results = TypeAdapter(mcp.types.CallToolResult)


def image_of(part):
    url = part["image_url"]
    url = url["url"] if isinstance(url, dict) else url
    head, comma, data = url.partition(",")
    if comma and head.startswith("data:") and head.endswith(";base64"):
        try:
            return Image(content=base64.b64decode(data), mime_type=head[5:-7])
        except ValueError as error:
            raise kit.Refused("unrepresentable-input", f"no bytes come of it: {error}") from error
    return Image(url=url)


def messages_of(values):
    """Agno's own histories name the tool in its result."""
    names = {}
    for value in values:
        for call in value.get("tool_calls") or []:
            if isinstance(call, dict) and isinstance(call.get("function"), dict):
                names[str(call.get("id"))] = call["function"].get("name")
        name = names.get(str(value.get("tool_call_id")))
        if value.get("role") == "tool" and isinstance(name, str):
            value["tool_name"] = name
    return [message_of(value) for value in values]


def message_of(value):
    content = value.get("content")
    if isinstance(content, list):
        pictures = [part for part in content if isinstance(part, dict) and part.get("type") == "image_url"]
        texts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        if pictures and len(pictures) + len(texts) == len(content):
            value["content"] = "\n".join(part["text"] for part in texts)
            value["images"] = [image_of(part) for part in pictures]
    return Message.model_validate(value)


class Session:
    """An MCP session whose only tool has answered this."""

    def __init__(self, result):
        self.result = result

    async def send_ping(self):
        pass

    async def call_tool(self, name, arguments):
        return self.result


def registered(to):
    make, kind, once, parts, targets = models[to]
    model, looped = make(kind), make(once)

    async def send(model, messages, **rest):
        agent = Agent(model=model, telemetry=False, **rest)

        async def run():
            answer = await agent.arun(input=messages)
            # A run that fails gives the words of the exception as its content.
            if not wire.bodies:
                raise RuntimeError(answer.content)

        body = await wire.sent(run)
        return kit.camel(body) if to == "gemini.contents" else body

    def keep(body, keys):
        return {key: body[key] for key in keys if body.get(key)}

    async def convert(document, ask):
        return keep(await send(model, messages_of(copy.deepcopy(kit.listed(document, "messages")))), parts)

    async def convert_mcp(document, ask):
        session = Session(results.validate_python(document))
        tool = mcp.types.Tool(name="read", input_schema={"type": "object", "properties": {}})
        function = Function(
            name="read",
            description="reads",
            parameters=tool.input_schema,
            entrypoint=get_entrypoint_for_tool(tool, session),
            skip_entrypoint_processing=True,
        )
        body = await send(looped, [Message(role="user", content="read it")], tools=[function])
        # An agent with tools has instructions of its own.
        return keep(body, parts[-1:])

    testee.converts("openai.chat", to, targets=targets)(convert)
    testee.converts("mcp.tool-result", to, targets=targets)(convert_mcp)


for to in models:
    registered(to)

testee.run()
