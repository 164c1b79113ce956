"""Instances of a schema by hypothesis-jsonschema or by the generator of schemathesis: PEER SCHEMA COUNT SECONDS FILE."""

import json
import sys
import time

from hypothesis import HealthCheck, Phase, given, settings


def strategy(peer, schema):
    if peer == "hypothesis-jsonschema":
        from hypothesis_jsonschema import from_schema

        return from_schema(schema)
    # Not its public interface: its command line sends each instance over HTTP, and so is slower by far.
    from jsonschema_rs import Draft202012
    from schemathesis.generation.jsonschema.builder import build

    return build(schema, draft=Draft202012, formats={})


class Enough(KeyboardInterrupt):
    """The only kind of exception that Hypothesis lets pass at once."""


def main():
    peer, schema, count, seconds, file = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
    with open(schema, encoding="utf-8") as source:
        values = strategy(peer, json.load(source))
    made = []
    start = time.process_time()

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(values)
    def collect(value):
        made.append(value)
        if len(made) >= count or time.process_time() - start > seconds:
            raise Enough

    try:
        collect()
    except Enough:
        pass
    took = time.process_time() - start
    with open(file, "w", encoding="utf-8") as out:
        for value in made:
            out.write(json.dumps(value) + "\n")
    print(len(made), took, sep="\t")


main()
