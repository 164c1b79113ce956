"""google-ai-generativelanguage: the protobuf message `Content`, read from JSON as the server reads it."""

import google.ai.generativelanguage_v1beta as language
from google.protobuf import json_format

from feed import run


def content(message):
    json_format.ParseDict(message, language.Content.pb(language.Content()))


run("google-proto", {"gemini.contents": content})
