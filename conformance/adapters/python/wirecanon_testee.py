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

Nothing here reaches the network: whoever needs it to convert a message fails at once.
"""

import asyncio
import inspect
import json
import os
import re
import sys
import traceback

# What libraries print would stand between the answers.
_answers = sys.stdout
sys.stdout = sys.stderr


# The way to the server of this machine must be open; any other is shut below.
for _proxy in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
    os.environ.pop(_proxy, None)
    os.environ.pop(_proxy.lower(), None)

_LOCAL = ("127.0.0.1", "localhost", "::1")


def _offline(event, arguments):
    host = None
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host and host not in _LOCAL:
        raise ConnectionRefusedError(f"no network here: {host}")


sys.addaudithook(_offline)


class Refused(Exception):
    """It cannot be done, and nothing was emitted.

    `code` is one of invalid-arguments, unsupported-content, unpaired, limit, other; or unrepresentable-input, where the types of the
    package cannot hold the input.
    """

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Testee:
    """One program under test."""

    def __init__(self, name, version=None, refusals=None, adds=None):
        self.name = os.environ.get("WIRECANON_TESTEE") or name
        self.version = version
        self.refusals = refusals or {}
        self.adds = adds or []
        self._conversions = {}
        self._targets = {}
        self._loop = asyncio.new_event_loop()

    def converts(self, source, to, targets=None):
        """Registers a function for a pair of dialects; several decorators may stand on one function.

        `targets` are the only servers that it is meant for; left out, every one that speaks the dialect.
        """

        def register(function):
            self._conversions[source, to] = function
            if targets is not None:
                self._targets[source, to] = list(targets)
            return function

        return register

    def run(self):
        """Answers until `bye`, or until stdin ends."""
        for line in sys.stdin:
            if not line.strip():
                continue
            try:
                ask = json.loads(line)
            except (RecursionError, ValueError) as error:
                number = re.match(r'\{"id":(\d+)', line)
                if number:
                    self._say({"id": int(number[1]), "failed": f"json.loads: {type(error).__name__}: {error}"})
                continue
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
            "conversions": [self._claim(*pair) for pair in self._conversions],
        }
        if self.version:
            hello["version"] = self.version
        if self.refusals:
            hello["refusals"] = self.refusals
        if self.adds:
            hello["adds"] = self.adds
        return hello

    def _claim(self, source, to):
        claim = {"from": source, "to": to}
        if (source, to) in self._targets:
            claim["targets"] = self._targets[source, to]
        return claim

    def _convert(self, ask):
        function = self._conversions.get((ask["from"], ask["to"]))
        if function is None:
            return {"refused": {"code": "other", "message": f"{ask['from']} to {ask['to']} was not declared"}}
        try:
            output = function(ask["input"], ask)
            if inspect.isawaitable(output):
                output = self._loop.run_until_complete(output)
            # Here, so that what is no JSON fails in this case alone.
            text = json.dumps(output)
            if re.search(r"\b(NaN|Infinity)\b", text) and not _is_json(text):
                return {"output_text": text}
            return {"output": output}
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


def _is_json(text):
    def refuse(constant):
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
        return True
    except ValueError:
        return False


def listed(document, key):
    """The messages of a document: its list, a list by itself, or one message alone."""
    if isinstance(document, dict) and key in document:
        document = document[key]
        if document is None:
            return []
    return document if isinstance(document, list) else [document]


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


# Google's JSON takes both spellings of a field; a dialect has one.
_CAMEL = {
    "system_instruction": "systemInstruction",
    "function_call": "functionCall",
    "function_response": "functionResponse",
    "inline_data": "inlineData",
    "file_data": "fileData",
    "mime_type": "mimeType",
    "file_uri": "fileUri",
    "thought_signature": "thoughtSignature",
}


def camel(value):
    """A request to Gemini in the spelling of its documentation."""
    if isinstance(value, list):
        return [camel(one) for one in value]
    if not isinstance(value, dict):
        return value
    # Arguments and responses are the tool's own, and stay as they are.
    own = {"args", "response"}
    return {_CAMEL.get(key, key): one if key in own else camel(one) for key, one in value.items()}


class Wire:
    """A server on this machine that keeps the body of what an SDK sends, and answers that it was a bad request.

        wire = kit.Wire()
        client = SDK(base_url=wire.url, api_key="none", max_retries=0)
        body = await wire.sent(lambda: agent.run(…))
    """

    def __init__(self):
        import http.server
        import threading

        wire = self
        self.bodies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                wire.bodies.append(self._body())
                answer = b'{"error":{"message":"no more of this is wanted","type":"invalid_request_error","code":400}}'
                self.send_response(400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def _body(self):
                if self.headers.get("Transfer-Encoding") == "chunked":
                    parts = []
                    while size := int(self.rfile.readline().split(b";")[0], 16):
                        parts.append(self.rfile.read(size))
                        self.rfile.readline()
                    self.rfile.readline()
                    return b"".join(parts)
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    async def sent(self, send):
        """The JSON of the first body that `send` brings here; what it raises otherwise goes on."""
        self.bodies.clear()
        try:
            done = send()
            if inspect.isawaitable(done):
                await done
        except Exception:
            if not self.bodies:
                raise
        if not self.bodies:
            raise RuntimeError("nothing was sent")
        return json.loads(self.bodies[0])
