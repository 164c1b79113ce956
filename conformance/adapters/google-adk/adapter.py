"""Google ADK: what an agent sends to Gemini, Anthropic and (through LiteLLM) OpenAI for a session of contents of the Gemini API, and for
what an MCP tool gave.

The contents are the events of a stored session, as `Runner` stores them. A last content of the user is its new message; any other session
is given to the agent as it is, as a run that goes on with it does. The result of an MCP tool goes through a whole run: the first answer of
the model is a call of the tool, the second request is what is caught.
"""

import wirecanon_testee as kit

import contextlib
import os
from importlib.metadata import version

os.environ.update(GOOGLE_API_KEY="none", OPENAI_API_KEY="none", LITELLM_LOCAL_MODEL_COST_MAP="True")

import litellm
import mcp.types
from anthropic import AsyncAnthropic
from google import genai
from google.adk.agents import InvocationContext, LlmAgent
from google.adk.events import Event
from google.adk.models.anthropic_llm import AnthropicLlm
from google.adk.models.google_llm import Gemini
from google.adk.models.lite_llm import LiteLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner, RunConfig
from google.adk.tools.mcp_tool.mcp_tool import McpTool
from google.genai import types
from pydantic import TypeAdapter

litellm.suppress_debug_info = True
testee = kit.Testee(
    "google-adk",
    version("google-adk"),
    refusals={"ValidationError": "unrepresentable-input"},
    # Where the model has spoken last, and where nobody has spoken.
    adds=[
        "Continue processing previous requests as instructed. Exit or provide a summary if no more outputs are needed.",
        "Handle the requests as specified in the System Instruction.",
    ],
)
wire = kit.Wire()


class Once:
    """A model whose first answer is a call of the tool."""

    async def generate_content_async(self, llm_request, stream=False):
        if len(llm_request.contents) == 1:
            call = types.FunctionCall(id="call_1", name="read", args={})
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=call)]))
            return
        async for answer in super().generate_content_async(llm_request, stream):
            yield answer


class AnthropicOnce(Once, AnthropicLlm):
    pass


class GeminiOnce(Once, Gemini):
    pass


class LiteLlmOnce(Once, LiteLlm):
    pass


def anthropic(kind):
    return kind(model="claude-sonnet-4-5", client=AsyncAnthropic(base_url=wire.url, api_key="none", max_retries=0))


def gemini(kind):
    options = types.HttpOptions(base_url=wire.url)
    return kind(model="gemini-2.5-flash", client=genai.Client(api_key="none", http_options=options))


def openai(kind):
    return kind(model="openai/gpt-5.2", api_base=wire.url, max_retries=0)


models = {
    "gemini.contents": (gemini, Gemini, GeminiOnce, ("systemInstruction", "contents"), ["gemini"]),
    "anthropic.messages": (anthropic, AnthropicLlm, AnthropicOnce, ("system", "messages"), ["anthropic"]),
    "openai.chat": (openai, LiteLlm, LiteLlmOnce, ("messages",), ["openai"]),
}
results = TypeAdapter(mcp.types.CallToolResult)


# What ADK adds to the instructions of each agent that has this name.
IDENTITY = 'You are an agent. Your internal name is "agent".'


def contents_of(document):
    """The contents, with the ids that ADK gives to calls which have none, and to their responses."""
    contents = [types.Content.model_validate(one) for one in kit.listed(document, "contents")]
    open_calls, number = [], 0
    for content in contents:
        content.role = content.role or "user"
        for part in content.parts or []:
            call, response = part.function_call, part.function_response
            if call and not call.id:
                number += 1
                call.id = f"adk-{number}"
                open_calls.append(call)
            if response and not response.id:
                answered = next((call for call in open_calls if call.name == response.name), None)
                if answered:
                    open_calls.remove(answered)
                    response.id = answered.id
    return contents


def is_prompt(content):
    return content.role == "user" and content.parts and not any(part.function_call or part.function_response for part in content.parts)


async def run_session(contents, system, model):
    """Runs an agent over a stored session, until its first request was sent."""
    agent = LlmAgent(name="agent", model=model, static_instruction=system)
    runner = InMemoryRunner(agent=agent, app_name="wirecanon")
    service = runner.session_service
    session = await service.create_session(app_name="wirecanon", user_id="user")
    prompt = contents.pop() if contents and is_prompt(contents[-1]) else None
    for number, content in enumerate(contents):
        author = "user" if is_prompt(content) else "agent"
        await service.append_event(session, Event(invocation_id=f"e-{number}", author=author, content=content))
    if prompt:
        events = runner.run_async(user_id="user", session_id=session.id, new_message=prompt)
    else:
        context = InvocationContext(
            session_service=service, session=session, agent=agent, invocation_id="e-last", run_config=RunConfig()
        )
        events = agent.run_async(context)
    async with contextlib.aclosing(events):
        async for _ in events:
            if wire.bodies:
                break


class Sessions:
    """Stands where the manager of MCP sessions does; the only tool has answered this."""

    def __init__(self, result):
        self.result = result

    async def create_session(self, headers=None):
        return self

    async def call_tool(self, name, **rest):
        return self.result

    def __getattr__(self, name):
        return lambda *arguments, **rest: None


async def run_with(tool, model):
    agent = LlmAgent(name="agent", model=model, tools=[tool])
    runner = InMemoryRunner(agent=agent, app_name="wirecanon")
    session = await runner.session_service.create_session(app_name="wirecanon", user_id="user")
    message = types.Content(role="user", parts=[types.Part(text="read it")])
    events = runner.run_async(user_id="user", session_id=session.id, new_message=message)
    async with contextlib.aclosing(events):
        async for event in events:
            if wire.bodies:
                break


def without_identity(system):
    """The system instruction without the sentence that ADK adds for each agent; nothing, where nothing else is left."""
    if isinstance(system, str):
        return system.removesuffix(IDENTITY).removesuffix("\n\n")
    last = system["parts"][-1]
    last["text"] = without_identity(last["text"])
    if not last["text"]:
        system["parts"].pop()
    return system if system["parts"] else None


def keep(body, to, has_system):
    body = kit.camel(body) if to == "gemini.contents" else body
    for key in ("system", "systemInstruction"):
        if key in body:
            body[key] = without_identity(body[key]) if has_system else None
    if to == "openai.chat" and body["messages"][0]["role"] == "system":
        first = body["messages"][0]
        first["content"] = without_identity(first["content"]) if has_system else None
        if not first["content"]:
            body["messages"].pop(0)
    return {key: body[key] for key in models[to][3] if body.get(key)}


def registered(to):
    make, kind, once, _, targets = models[to]
    model, looped = make(kind), make(once)

    async def convert(document, ask):
        contents = contents_of(document)
        system = document.get("systemInstruction") if isinstance(document, dict) else None
        system = types.Content.model_validate(system) if system else None
        return keep(await wire.sent(lambda: run_session(contents, system, model)), to, has_system=True)

    async def convert_mcp(document, ask):
        manager = Sessions(results.validate_python(document))
        definition = {"name": "read", "description": "reads", "inputSchema": {"type": "object", "properties": {}}}
        tool = McpTool(mcp_tool=mcp.types.Tool.model_validate(definition), mcp_session_manager=manager)
        return keep(await wire.sent(lambda: run_with(tool, looped)), to, has_system=False)

    testee.converts("gemini.contents", to, targets=targets)(convert)
    testee.converts("mcp.tool-result", to, targets=targets)(convert_mcp)


for to in models:
    registered(to)

testee.run()
