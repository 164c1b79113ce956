"""anthropic (Python): `MessageParam`, and `BetaMessageParam`, which also knows the blocks that are in beta."""

import sys

from anthropic.types import MessageParam
from anthropic.types.beta import BetaMessageParam
from pydantic import TypeAdapter

from feed import run, validator

MODELS = {"anthropic-python": MessageParam, "anthropic-python-beta": BetaMessageParam}
NAME = sys.argv[1]
ADAPTER = TypeAdapter(MODELS[NAME])

run(NAME, {"anthropic.messages": validator(ADAPTER, typed_dict=True)})
