"""Strands Agents: what an agent sends to Bedrock, Anthropic, OpenAI and Gemini for its own messages, which are those of Bedrock
Converse with bytes in the place of base64, and for what an MCP tool gave.

The messages are stored as a session, which a second `Agent` loads, as a program that starts again does. A last message of the user is its
prompt. The request is caught on its way.
"""

import wirecanon_testee as kit

import base64
import copy
import os
import tempfile
from importlib.metadata import version

os.environ.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_DEFAULT_REGION="us-east-1")
os.environ["AWS_MAX_ATTEMPTS"] = "1"

import mcp.types
from google import genai
from pydantic import TypeAdapter
from strands import Agent
from strands.models.anthropic import AnthropicModel
from strands.models.bedrock import BedrockModel
from strands.models.gemini import GeminiModel
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel
from strands.session.file_session_manager import FileSessionManager
from strands.tools.mcp import MCPClient

testee = kit.Testee("strands", version("strands-agents"), refusals={"ValidationError": "unrepresentable-input"})
wire = kit.Wire()
sdk = {"api_key": "none", "base_url": wire.url, "max_retries": 0}
models = {
    "bedrock.converse": lambda: BedrockModel(
        model_id="us.anthropic.claude-sonnet-4-5-20250929-v1:0", endpoint_url=wire.url, streaming=False
    ),
    "anthropic.messages": lambda: AnthropicModel(client_args=sdk, model_id="claude-sonnet-4-5", max_tokens=1024),
    "openai.chat": lambda: OpenAIModel(client_args=sdk, model_id="gpt-5.2"),
    "openai.responses": lambda: OpenAIResponsesModel(client_args=sdk, model_id="gpt-5.2"),
    "gemini.contents": lambda: GeminiModel(
        client_args={"api_key": "none", "http_options": genai.types.HttpOptions(base_url=wire.url)},
        model_id="gemini-2.5-flash",
    ),
}
parts = {
    "bedrock.converse": ("system", "messages"),
    "anthropic.messages": ("system", "messages"),
    "openai.chat": ("messages",),
    "openai.responses": ("instructions", "input"),
    "gemini.contents": ("systemInstruction", "contents"),
}
targets = {
    "bedrock.converse": ["bedrock", "bedrock-claude"],
    "anthropic.messages": ["anthropic"],
    "openai.chat": ["openai"],
    "openai.responses": ["openai-responses"],
    "gemini.contents": ["gemini"],
}
results = TypeAdapter(mcp.types.CallToolResult)
# Sessions are files; those of a test need no disk.
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None


def native(value):
    """As boto3 gives it to a program: what the service's model calls a blob are bytes."""
    if isinstance(value, list):
        return [native(one) for one in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, one in value.items():
        if key in ("bytes", "redactedContent") and isinstance(one, str):
            try:
                out[key] = base64.b64decode(one)
            except ValueError as error:
                raise kit.Refused("unrepresentable-input", f"no message of boto3's holds this: {error}") from error
        elif key in ("input", "json"):
            out[key] = one
        else:
            out[key] = native(one)
    return out


def of_converse(document):
    document = native(copy.deepcopy(document))
    messages = kit.listed(document, "messages")
    for message in messages:
        for block in kit.listed(message.get("content"), "content") if isinstance(message, dict) else []:
            if isinstance(block, dict) and isinstance(block.get("toolResult"), dict):
                # In Strands' own type the field is required; Converse takes its absence for this.
                block["toolResult"].setdefault("status", "success")
    return messages, document.get("system") if isinstance(document, dict) else None


def of_mcp(document):
    client, answer = MCPClient(lambda: None), results.validate_python(document)
    try:
        result = client._handle_tool_result("call_1", answer)
    except Exception as error:  # as its own `call_tool_async` does
        result = client._handle_tool_execution_error("call_1", error)
    # What the executor of tools keeps of a result in the history.
    content = {"toolResult": {key: result[key] for key in ("toolUseId", "status", "content")}}
    return [
        {"role": "user", "content": [{"text": "read it"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "call_1", "name": "read", "input": {}}}]},
        {"role": "user", "content": [content]},
    ], None


def split(messages):
    """The history and the prompt: the last message, if the user says it."""
    last = messages[-1] if messages else None
    is_prompt = (
        isinstance(last, dict)
        and last.get("role") == "user"
        and isinstance(last.get("content"), list)
        and not any(isinstance(block, dict) and "toolResult" in block for block in last["content"])
    )
    return (messages[:-1], last["content"]) if is_prompt else (messages, None)


def loaded(history, settings, folder):
    """An agent that has loaded its history from a stored session."""

    def session():
        return FileSessionManager(session_id="session", storage_dir=folder)

    Agent(messages=history, session_manager=session(), **settings)
    return Agent(session_manager=session(), **settings)


def registered(source, build, to):
    model = made[to]

    async def convert(document, ask):
        messages, system = build(document)
        history, prompt = split(messages)
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            agent = loaded(history, {"model": model, "system_prompt": system, "callback_handler": None}, folder)
            body = await wire.sent(lambda: agent.invoke_async(prompt))
        body = kit.camel(body) if to == "gemini.contents" else body
        return {key: body[key] for key in parts[to] if body.get(key)}

    testee.converts(source, to, targets=targets[to])(convert)


made = {to: make() for to, make in models.items()}
for source, build in [("bedrock.converse", of_converse), ("mcp.tool-result", of_mcp)]:
    for to in models:
        registered(source, build, to)

testee.run()
