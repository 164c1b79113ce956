"""mcp-types (Python): results by the protocol version that the two sides agreed on."""

from mcp_types import methods
from pydantic import ValidationError

from feed import Refused, run, words

NEWEST = "2026-07-28"


def result(method):
    def judge(message, target):
        _, _, version = target.partition("@")
        try:
            methods.validate_server_result(method, version or NEWEST, message)
        except ValidationError as error:
            raise Refused(words(error)) from error

    return judge


run("mcp-types", {"mcp.tool-result": result("tools/call"), "mcp.prompt": result("prompts/get")}, targets=True)
