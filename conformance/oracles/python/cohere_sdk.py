"""cohere (Python): `ChatMessageV2`."""

from cohere import ChatMessageV2
from pydantic import TypeAdapter

from feed import run, validator

MESSAGE = TypeAdapter(ChatMessageV2)

run("cohere", {"cohere.v2": validator(MESSAGE)})
