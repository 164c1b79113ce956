"""langchain-core: messages as `messages_to_dict`, as `dumps` and as their own fields write them."""

from langchain_core.load import load
from langchain_core.messages import BaseMessage, convert_to_messages, messages_from_dict

from feed import Refused, run


def message(value):
    if isinstance(value, dict) and "lc" in value:
        if not isinstance(load(value, allowed_objects="messages"), BaseMessage):
            raise Refused("the constructor makes no message")
    elif isinstance(value, dict) and "data" not in value:
        convert_to_messages([value])
    else:
        messages_from_dict([value])


run("langchain", {"langchain": message})
