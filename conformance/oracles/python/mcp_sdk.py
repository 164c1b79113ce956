"""mcp (Python, 1.x): the models of its `types` module, one for all revisions up to 2025-11-25."""

import mcp.types as types
from pydantic import TypeAdapter

from feed import run, validator

ADAPTERS = {
    "mcp.tool-result": TypeAdapter(types.CallToolResult),
    "mcp.prompt": TypeAdapter(types.GetPromptResult),
    "mcp.sampling": TypeAdapter(types.CreateMessageRequestParams),
}

run("mcp-python", {dialect: validator(adapter) for dialect, adapter in ADAPTERS.items()})
