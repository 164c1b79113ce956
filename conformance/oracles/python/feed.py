"""The protocol of every oracle: one record a line in, one verdict a line out.

A judge is a function of a record that returns when the model takes the message, and raises when it does not.
"""

import json
import sys


class Refused(Exception):
    """The model does not take this, in the words of the oracle."""


def run(oracle, judges, documents=None, targets=False):
    """Reads records from stdin. `judges` has a judge of messages for each dialect, `documents` one of whole documents; with
    `targets`, they are given the target, too."""
    out = sys.stdout
    for line in sys.stdin:
        record = json.loads(line)
        part, by = ("message", judges) if "message" in record else ("document", documents)
        try:
            beside = [record["target"]] if targets else []
            by[record["dialect"]](record[part], *beside)
            verdict = {"id": record["id"], "oracle": oracle, "verdict": "accept"}
        except Exception as error:  # Models raise what they like; whatever it is, the message was not taken.
            said = words(error) if hasattr(error, "errors") else str(error)
            message = said if isinstance(error, Refused) else f"{type(error).__name__}: {said}"
            verdict = {"id": record["id"], "oracle": oracle, "verdict": "reject", "message": message[:600]}
        out.write(json.dumps(verdict) + "\n")


def walk(value):
    """Draws every lazy iterator that pydantic left in a validated value: items are only judged when they are drawn.

    The TypeAdapter must still be alive, and be kept so by the caller.
    """
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            todo.extend(one.values())
        elif isinstance(one, (str, bytes, int, float)) or one is None:
            pass
        elif hasattr(one, "__iter__"):
            todo.extend(list(one))


def words(error):
    """The errors of a pydantic ValidationError, each with its place, without the input.

    Of a union, only what the branches say whose `type` and `role` fit: all others are noise.
    """
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    wrong = [one["loc"][:-1] for one in errors if one["type"] == "literal_error" and one["loc"][-1] in ("type", "role")]
    own = [one for one in errors if not any(one["loc"][: len(branch)] == branch for branch in wrong)]
    return "; ".join(
        f"{'.'.join(str(step) for step in one['loc'])}: {one['msg']} [{one['type']}]" for one in (own or errors)[:6]
    )


def validator(adapter, typed_dict=False):
    """A judge from a TypeAdapter: strict, because JSON has its own types, and with every lazy iterator drawn.

    A TypedDict is validated as Python values: from JSON text, pydantic takes a string for an iterable of characters.
    Other models need the text, because strict Python values would have to be instances already.
    """
    from pydantic import ValidationError

    def judge(message):
        try:
            if typed_dict:
                walk(adapter.validate_python(message, strict=True))
            else:
                walk(adapter.validate_json(json.dumps(message), strict=True))
        except ValidationError as error:
            raise Refused(words(error)) from error

    return judge
