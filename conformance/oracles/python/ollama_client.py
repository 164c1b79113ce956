"""ollama (Python): `Message` of the client.

The client holds a picture in an object of its own, and writes it as the base64 string that stands on the wire.
"""

from ollama import Message
from pydantic import TypeAdapter

from feed import run, validator

MESSAGE = TypeAdapter(Message)
VALIDATE = validator(MESSAGE)


def message(value):
    images = value.get("images") if isinstance(value, dict) else None
    if isinstance(images, list) and all(isinstance(image, str) for image in images):
        value = value | {"images": [{"value": image} for image in images]}
        VALIDATE(value)
        # Writing looks at the base64.
        MESSAGE.validate_python(value).model_dump()
    else:
        VALIDATE(value)


run("ollama", {"ollama.chat": message})
