"""mcp-types (Python): results by the protocol version that the two sides agreed on.

From 2026-07-28 a method may also answer that it needs input, and that answer takes any members; only the result itself is
asked for here. A message without a revision is legal if it is so in one of them.
"""

from typing import get_args

from mcp_types import methods
from pydantic import ValidationError

from feed import Refused, run, words

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
RESULTS = {row: (get_args(model) or [model])[0] for row, model in methods.SERVER_RESULTS.items()}


def result(method):
    def judge(message, target):
        _, _, version = target.partition("@")
        refused = None
        for one in [version] if version else VERSIONS:
            try:
                methods.validate_server_result(method, one, message, surface=RESULTS)
                return
            except ValidationError as error:
                refused = error
        raise Refused(words(refused)) from refused

    return judge


def prompt_message(message, target):
    prompt({"messages": [message], "resultType": "complete"}, target)


prompt = result("prompts/get")
run(
    "mcp-types",
    {"mcp.tool-result": result("tools/call"), "mcp.prompt": prompt_message},
    documents={"mcp.prompt": prompt},
    targets=True,
)
