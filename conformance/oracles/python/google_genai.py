"""google-genai (Python): `types.Content`, whose models refuse members that they do not know."""

from google.genai import types
from pydantic import TypeAdapter

from feed import run, validator

CONTENT = TypeAdapter(types.Content)

run("google-genai", {"gemini.contents": validator(CONTENT)})
