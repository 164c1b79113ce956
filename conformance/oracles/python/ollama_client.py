"""ollama (Python): `Message` of the client."""

from ollama import Message
from pydantic import TypeAdapter

from feed import run, validator

MESSAGE = TypeAdapter(Message)

run("ollama", {"ollama.chat": validator(MESSAGE)})
