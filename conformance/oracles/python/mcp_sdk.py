"""mcp (Python, 1.x): the models of its `types` module, one for all revisions up to 2025-11-25."""

import mcp.types as types
from pydantic import TypeAdapter

from feed import run, validator

MESSAGES = {
    "mcp.tool-result": TypeAdapter(types.CallToolResult),
    "mcp.prompt": TypeAdapter(types.PromptMessage),
    "mcp.sampling": TypeAdapter(types.SamplingMessage),
}
DOCUMENTS = {
    "mcp.prompt": TypeAdapter(types.GetPromptResult),
    "mcp.sampling": TypeAdapter(types.CreateMessageRequestParams),
}


def judges(adapters):
    return {dialect: validator(adapter) for dialect, adapter in adapters.items()}


run("mcp-python", judges(MESSAGES), documents=judges(DOCUMENTS))
