"""langchain-core: messages as `messages_to_dict` writes them."""

from langchain_core.messages import messages_from_dict

from feed import run


def message(value):
    messages_from_dict([value])


run("langchain", {"langchain": message})
