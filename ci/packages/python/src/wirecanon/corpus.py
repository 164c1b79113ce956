"""What a maintainer writes down: which function converts which dialect to which."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
import traceback
from typing import Any, Callable, Mapping, Optional, Sequence, Union

Ask = Mapping[str, Any]
Convert = Callable[[Any, Ask], Any]


class Refused(Exception):
    """It cannot be done, and nothing was emitted.

    `code` is one of invalid-arguments, unsupported-content, unpaired, limit, other.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Corpus:
    """The functions of one program, each held against every case that can be written in the dialect that it reads.

    `name` is what reports and the file of expectations (`expectations/NAME.toml`, below the root of the tests) are called by;
    `refusals` maps names of exceptions to the refusals that they stand for; `timeout` is the seconds that one answer may take;
    `suite` is the frozen suite that scores, the newest if left out.
    """

    def __init__(
        self,
        name: str,
        *,
        version: Optional[str] = None,
        expectations: Union[str, os.PathLike[str], None] = None,
        refusals: Optional[Mapping[str, str]] = None,
        timeout: float = 10,
        suite: Optional[str] = None,
    ) -> None:
        self.name = name
        self.version = version
        self.expectations = expectations
        self.refusals = dict(refusals or {})
        self.timeout = timeout
        self.suite = suite
        self._converts: dict[tuple[str, str], Convert] = {}
        self._targets: dict[tuple[str, str], list[str]] = {}

    def converts(self, source: str, to: str, targets: Optional[Sequence[str]] = None) -> Callable[[Convert], Convert]:
        """Registers a function for a pair of dialects; several decorators may stand on one function.

        It gets the input's JSON value and the whole request, and returns a JSON value; it may be `async`. `targets` are the
        only servers that it is meant for; left out, every one that speaks the dialect.
        """

        def register(function: Convert) -> Convert:
            self._converts[source, to] = function
            if targets is not None:
                self._targets[source, to] = list(targets)
            return function

        return register

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of dialects that it has a function for."""
        return list(self._converts)

    def hello(self) -> dict[str, Any]:
        """What it says of itself by the protocol of testees."""
        claims = []
        for source, to in self._converts:
            claim: dict[str, Any] = {"from": source, "to": to}
            if (source, to) in self._targets:
                claim["targets"] = self._targets[source, to]
            claims.append(claim)
        hello: dict[str, Any] = {"wirecanon": 1, "name": self.name, "language": "python", "conversions": claims}
        if self.version:
            hello["version"] = self.version
        if self.refusals:
            hello["refusals"] = self.refusals
        return hello

    def answer(self, line: bytes, loop: asyncio.AbstractEventLoop) -> Optional[bytes]:
        """The answer to one line of the protocol; `None` ends it."""
        try:
            ask = json.loads(line)
        except (RecursionError, ValueError) as error:
            number = re.match(rb'\{"id":(\d+)', line)
            if number is None:
                return None
            return _line({"id": int(number[1]), "failed": f"json.loads: {type(error).__name__}: {error}"})
        if ask.get("op") == "hello":
            return _line(self.hello())
        if ask.get("op") != "convert":
            return None
        try:
            output = self._converts[ask["from"], ask["to"]](ask["input"], ask)
            if inspect.isawaitable(output):
                output = loop.run_until_complete(output)
            # Here, so that what is no JSON fails in this case alone. A `NaN` makes a line that is judged as no JSON.
            return _line({"id": ask["id"], "output": output})
        except Refused as refusal:
            return _line({"id": ask["id"], "refused": {"code": refusal.code, "message": str(refusal)}})
        except BaseException as error:  # noqa: BLE001: any is the verdict of this case, `sys.exit` and `pytest.fail` too
            name = type(error).__name__
            if name in self.refusals:
                return _line({"id": ask["id"], "refused": {"code": name, "message": str(error)}})
            place = traceback.extract_tb(error.__traceback__)[-1]
            return _line({"id": ask["id"], "failed": f"{name}: {error}\n{place.filename}:{place.lineno}"})


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
