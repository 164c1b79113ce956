"""mcp-types (Python): results by the protocol version that the two sides agreed on."""

import sys

from mcp_types import methods
from pydantic import ValidationError

from feed import Refused, run, words

NAME, VERSION = sys.argv[1:3]


def result(method):
    def judge(message):
        try:
            methods.validate_server_result(method, VERSION, message)
        except ValidationError as error:
            raise Refused(words(error)) from error

    return judge


run(NAME, {"mcp.tool-result": result("tools/call"), "mcp.prompt": result("prompts/get")})
