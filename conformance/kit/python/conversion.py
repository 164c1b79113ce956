"""The one function to fill in."""

# For a history that your program cannot convert: `raise Refused("unpaired", "call c1 has no result")`. The code is one of
# invalid-arguments, unsupported-content, unpaired, limit, other. Any other exception is a crash of this case alone.
from wirecanon_testee import Refused, listed  # noqa: F401


def convert(document, ask):
    """What your program would send if its history were `document`.

    `document` is in the dialect that adapter.py says is read: for openai.chat `{"messages": [...]}`, a list of messages, or one
    message alone; `listed(document, "messages")` gives the list of all three. `ask["from"]` and `ask["to"]` are the
    dialects, and `ask["target"]` is the server that it is for; without one, any server that speaks the dialect.

    The answer is a JSON value in the dialect that adapter.py says is written.
    """
    # Here goes your program, with its own objects and its own functions, up to what it would send:
    #
    #     import my_program
    #
    #     history = [my_program.Message.parse(message) for message in listed(document, "messages")]
    #     return {"messages": my_program.build_request(history)["messages"]}
    #
    # Mend nothing here. What your program makes of a broken history is what is judged.
    return document
