"""Google ADK: what its models send to Gemini, Anthropic and (through LiteLLM) OpenAI for contents of the Gemini API, and for what an
MCP tool gave.

Contents go to a model's `generate_content_async`, as every flow of ADK sends them. The result of an MCP tool goes through a whole
run: the first answer of the model is a call of the tool, the second request is what is caught.
"""

import wirecanon_testee as kit

import contextlib
import copy
import os
from importlib.metadata import version

os.environ.update(GOOGLE_API_KEY="none", OPENAI_API_KEY="none", LITELLM_LOCAL_MODEL_COST_MAP="True")

import litellm
import mcp.types
from anthropic import AsyncAnthropic
from google import genai
from google.adk.agents import LlmAgent
from google.adk.models.anthropic_llm import AnthropicLlm
from google.adk.models.google_llm import Gemini
from google.adk.models.lite_llm import LiteLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool.mcp_tool import McpTool
from google.genai import types
from pydantic import TypeAdapter

litellm.suppress_debug_info = True
testee = kit.Testee("google-adk", version("google-adk"), refusals={"ValidationError": "unsupported-content"})
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


def request_of(document, model):
    document = copy.deepcopy(document)
    contents = [types.Content.model_validate(one) for one in kit.listed(document, "contents")]
    config = types.GenerateContentConfig()
    system = document.get("systemInstruction") if isinstance(document, dict) else None
    if system:
        config.system_instruction = types.Content.model_validate(system)
    return LlmRequest(model=model, contents=contents, config=config)


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
    # Its instructions are not asked for.
    agent = LlmAgent(name="agent", model=model, tools=[tool])
    runner = InMemoryRunner(agent=agent, app_name="wirecanon")
    session = await runner.session_service.create_session(app_name="wirecanon", user_id="user")
    message = types.Content(role="user", parts=[types.Part(text="read it")])
    events = runner.run_async(user_id="user", session_id=session.id, new_message=message)
    async with contextlib.aclosing(events):
        async for event in events:
            if wire.bodies:
                break


def keep(body, to):
    body = kit.camel(body) if to == "gemini.contents" else body
    return {key: body[key] for key in models[to][3] if body.get(key)}


def registered(to):
    make, kind, once, _, targets = models[to]
    model, looped = make(kind), make(once)

    async def convert(document, ask):
        request = request_of(document, model.model)

        async def send():
            async for _ in model.generate_content_async(request):
                pass

        return keep(await wire.sent(send), to)

    async def convert_mcp(document, ask):
        manager = Sessions(results.validate_python(document))
        definition = {"name": "read", "description": "reads", "inputSchema": {"type": "object", "properties": {}}}
        tool = McpTool(mcp_tool=mcp.types.Tool.model_validate(definition), mcp_session_manager=manager)
        body = keep(await wire.sent(lambda: run_with(tool, looped)), to)
        body.pop("system", None)
        body.pop("systemInstruction", None)
        return body

    testee.converts("gemini.contents", to, targets=targets)(convert)
    testee.converts("mcp.tool-result", to, targets=targets)(convert_mcp)


for to in models:
    registered(to)

testee.run()
