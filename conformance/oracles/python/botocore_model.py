"""botocore: the service model of Bedrock Converse.

`ParamValidator` checks members, types and unions. It does not check enums, patterns and lengths; they stand in the same
shapes, so a walker checks them here.
"""

import base64
import binascii
import re

from botocore.model import ServiceModel
from botocore.loaders import Loader
from botocore.validate import ParamValidator

from feed import Refused, run

SERVICE = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"))
MESSAGE = SERVICE.shape_for("Message")


def with_bytes(shape, value):
    """JSON has text where the model has bytes: blobs are base64 on the wire."""
    if shape.type_name == "blob" and isinstance(value, str):
        try:
            return base64.b64decode(value, validate=True)
        except binascii.Error as error:
            raise Refused(f"blob: {error}") from error
    if shape.type_name == "structure" and isinstance(value, dict) and not getattr(shape, "is_document_type", False):
        return {
            key: with_bytes(shape.members[key], member) if key in shape.members else member
            for key, member in value.items()
        }
    if shape.type_name == "list" and isinstance(value, list):
        return [with_bytes(shape.member, item) for item in value]
    return value


def walk(shape, value, path):
    """Enums, patterns and upper limits, which ParamValidator leaves to the server."""
    if getattr(shape, "is_document_type", False):
        return
    meta = shape.metadata
    if isinstance(value, (str, bytes, list)) and "max" in meta and len(value) > meta["max"]:
        raise Refused(f"{path}: longer than {meta['max']}")
    if isinstance(value, str):
        if getattr(shape, "enum", None) and value not in shape.enum:
            raise Refused(f"{path}: `{value}` is none of {', '.join(shape.enum)}")
        if "pattern" in meta and not re.fullmatch(meta["pattern"], value):
            raise Refused(f"{path}: does not match {meta['pattern']}")
    if shape.type_name == "structure" and isinstance(value, dict):
        for key, member in value.items():
            if key in shape.members:
                walk(shape.members[key], member, f"{path}.{key}")
    elif shape.type_name == "list" and isinstance(value, list):
        for index, item in enumerate(value):
            walk(shape.member, item, f"{path}[{index}]")


def message(value):
    value = with_bytes(MESSAGE, value)
    report = ParamValidator().validate(value, MESSAGE)
    if report.has_errors():
        raise Refused(report.generate_report())
    walk(MESSAGE, value, "message")


run("botocore", {"bedrock.converse": message})
