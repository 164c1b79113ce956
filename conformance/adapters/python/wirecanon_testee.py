"""The line protocol of wirecanon's testees, for adapters in Python 3.9 or later.

An adapter names itself, says which dialects it converts, and runs:

    import wirecanon_testee as kit          # first: from here on, prints of libraries go to stderr

    testee = kit.Testee("mine", version="1.0")

    @testee.converts("openai.chat", "anthropic.messages")
    def convert(document, ask):
        return {"messages": [...]}          # or raise kit.Refused("unpaired", "why")

    testee.run()

A function gets the input's JSON value and the whole request, and returns a JSON value; it may be `async`. An exception that
it lets through is a crash of this case, unless `refusals` says what refusal the name of its class stands for.
"""

import asyncio
import inspect
import json
import sys
import traceback

# What libraries print would stand between the answers.
_answers = sys.stdout
sys.stdout = sys.stderr


class Refused(Exception):
    """It cannot be done, and nothing was emitted.

    `code` is one of invalid-arguments, unsupported-content, unpaired, limit, other.
    """

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Testee:
    """One program under test."""

    def __init__(self, name, version=None, refusals=None):
        self.name = name
        self.version = version
        self.refusals = refusals or {}
        self._conversions = {}
        self._loop = asyncio.new_event_loop()

    def converts(self, *pair):
        """Registers a function for a pair of dialects; several decorators may stand on one function."""

        def register(function):
            self._conversions[pair] = function
            return function

        return register

    def run(self):
        """Answers until `bye`, or until stdin ends."""
        for line in sys.stdin:
            if not line.strip():
                continue
            ask = json.loads(line)
            op = ask.get("op")
            if op == "hello":
                self._say(self._hello())
            elif op == "convert":
                self._say({"id": ask["id"], **self._convert(ask)})
            elif op == "bye":
                break

    def _hello(self):
        hello = {
            "wirecanon": 1,
            "name": self.name,
            "language": "python",
            "conversions": [{"from": source, "to": target} for source, target in self._conversions],
        }
        if self.version:
            hello["version"] = self.version
        if self.refusals:
            hello["refusals"] = self.refusals
        return hello

    def _convert(self, ask):
        function = self._conversions.get((ask["from"], ask["to"]))
        if function is None:
            return {"refused": {"code": "other", "message": f"{ask['from']} to {ask['to']} was not declared"}}
        try:
            output = function(ask["input"], ask)
            if inspect.isawaitable(output):
                output = self._loop.run_until_complete(output)
            # Here, so that what is no JSON fails in this case alone.
            return {"output": json.loads(json.dumps(output))}
        except Refused as refusal:
            return {"refused": {"code": refusal.code, "message": str(refusal)}}
        except Exception as error:  # noqa: BLE001: any exception is the verdict of this case
            name = type(error).__name__
            traceback.print_exc()
            if name in self.refusals:
                return {"refused": {"code": name, "message": str(error)}}
            return {"failed": f"{name}: {error}"}

    def _say(self, answer):
        print(json.dumps(answer), file=_answers, flush=True)


def plain(value):
    """A JSON value of what SDKs build: models, data classes, enums, bytes as base64."""
    import base64
    import dataclasses
    import enum

    if isinstance(value, enum.Enum):
        return plain(value.value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="python", by_alias=True, exclude_none=True))
    if dataclasses.is_dataclass(value):
        return plain({field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    if hasattr(value, "__iter__"):
        return [plain(one) for one in value]
    raise TypeError(f"{type(value).__name__} is no JSON")
