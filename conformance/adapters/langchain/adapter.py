"""LangChain: what its chat models send for a list of messages, and for what an MCP tool gave.

The messages are those of LangChain, made by its own loaders, or OpenAI's dictionaries, which every chat model takes. Each model is
invoked as any program would, and what it would send is caught where its `_generate` makes the request.
"""

import wirecanon_testee as kit

import copy
import os
from importlib.metadata import version

for key in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
    os.environ[key] = "none"
os.environ["LANGSMITH_TRACING"] = "false"

import mcp.types
from langchain_anthropic import ChatAnthropic
from langchain_aws import ChatBedrockConverse
from langchain_aws.chat_models import bedrock_converse
from langchain_core.load import load
from langchain_core.messages import AIMessage, HumanMessage, convert_to_messages, messages_from_dict
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool
from langchain_openai import ChatOpenAI

# What the classes that make messages refuse.
testee = kit.Testee(
    "langchain",
    version("langchain-core"),
    refusals={"ValidationError": "unrepresentable-input", "OutputParserException": "invalid-arguments"},
)


class Sent(BaseException):
    """Carries a request out of a model."""

    def __init__(self, request):
        self.request = request


class Anthropic(ChatAnthropic):
    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise Sent(self._get_request_payload(messages, stop=stop, **kwargs))


class OpenAI(ChatOpenAI):
    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise Sent(self._get_request_payload(messages, stop=stop, **kwargs))


class Google(ChatGoogleGenerativeAI):
    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise Sent(self._prepare_request(messages, stop=stop, **kwargs))


class Client:
    """Stands where boto3's client does."""

    def converse(self, **request):
        raise Sent(request)


anthropic = Anthropic(model="claude-sonnet-4-5", max_tokens=1024)
chat = OpenAI(model="gpt-5.2", use_responses_api=False)
responses = OpenAI(model="gpt-5.2", use_responses_api=True)
google = Google(model="gemini-2.5-flash")
bedrock = ChatBedrockConverse(
    model="anthropic.claude-sonnet-4-5-20250929-v1:0", region_name="us-east-1", client=Client(), bedrock_client=Client()
)


def sent(model, messages):
    try:
        model.invoke(messages)
    except Sent as caught:
        return caught.request
    raise RuntimeError("the model sent nothing")


def by_langchain(value):
    """A message by the loader that its form is for."""
    if isinstance(value, dict) and "lc" in value:
        return load(value, allowed_objects="messages")
    if isinstance(value, dict) and "data" in value:
        return messages_from_dict([value])[0]
    return convert_to_messages([value])[0]


def of_langchain(document):
    return [by_langchain(value) for value in copy.deepcopy(kit.listed(document, "messages"))]


def of_openai(document):
    return convert_to_messages(copy.deepcopy(kit.listed(document, "messages")))


class Session:
    """An MCP session whose only tool has answered this."""

    def __init__(self, result):
        self.result = result

    async def call_tool(self, name, arguments, **rest):
        return mcp.types.CallToolResult.model_validate(self.result)


async def of_mcp(document):
    tool = mcp.types.Tool(name="read", inputSchema={"type": "object", "properties": {}})
    tool = convert_mcp_tool_to_langchain_tool(Session(document), tool)
    call = {"type": "tool_call", "id": "call_1", "name": "read", "args": {}}
    return [HumanMessage("read it"), AIMessage("", tool_calls=[call]), await tool.ainvoke(call)]


def to_anthropic(messages):
    return only(sent(anthropic, messages), "system", "messages")


def to_chat(messages):
    return only(sent(chat, messages), "messages")


def to_responses(messages):
    return only(sent(responses, messages), "instructions", "input")


def to_google(messages):
    request = sent(google, messages)
    out = {"contents": kit.plain(request["contents"])}
    config = request.get("config")
    if config is not None and config.system_instruction is not None:
        out["systemInstruction"] = kit.plain(config.system_instruction)
    return out


def to_bedrock(messages):
    # Without the tools, it writes the calls of a history as words: that is not what is asked here.
    names = dict.fromkeys(call["name"] for message in messages for call in getattr(message, "tool_calls", []))
    empty = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": name, "description": name, "parameters": empty}} for name in names]
    return only(sent(bedrock.bind_tools(tools) if tools else bedrock, messages), "system", "messages")


def only(body, *keys):
    return {key: kit.plain(body[key]) for key in keys if body.get(key)}


def registered(source, build, write, to, targets):
    async def convert(document, ask):
        messages = build(document)
        return write(await messages if source == "mcp.tool-result" else messages)

    testee.converts(source, to, targets=targets)(convert)


for source, build in [("langchain", of_langchain), ("openai.chat", of_openai), ("mcp.tool-result", of_mcp)]:
    registered(source, build, to_anthropic, "anthropic.messages", ["anthropic"])
    registered(source, build, to_chat, "openai.chat", ["openai"])
    registered(source, build, to_responses, "openai.responses", ["openai-responses"])
    registered(source, build, to_google, "gemini.contents", ["gemini"])
    registered(source, build, to_bedrock, "bedrock.converse", ["bedrock", "bedrock-claude"])

testee.run()
