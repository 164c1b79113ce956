"""One run of `wirecanon gate`: the program judges, and the functions are called in this process."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from .corpus import Corpus

Key = tuple[str, str, str]
"""A case, the dialect that it is asked in, and the dialect of the answer."""

STARTED = os.getcwd()
"""Where the tests were started. What is relative there is not where the program is started."""


@dataclass
class Run:
    """What came of it."""

    exit: int
    """The exit code of the gate."""
    gate: dict[str, Any]
    """What `wirecanon gate --format json` says of the testee."""
    results: dict[Key, list[dict[str, Any]]] = field(default_factory=dict)
    """The results of the log that were judged, those of one case and pair together."""
    titles: dict[str, str] = field(default_factory=dict)
    unscored: set[str] = field(default_factory=set)
    """Cases that are not of the suite."""
    notes: list[str] = field(default_factory=list)
    """What is odd about the pairs that were registered: names that the program does not know."""


class CannotRun(Exception):
    """The program is not there, or ended without a result; in its words."""


def program() -> str:
    """The program: WIRECANON, or that of this environment, or that on the path."""
    if given := os.environ.get("WIRECANON"):
        # A name alone is looked for on the path.
        return os.path.join(STARTED, given) if os.path.dirname(given) else given
    for place in (sysconfig.get_path("scripts"), os.path.dirname(sys.executable), None):
        if found := shutil.which("wirecanon", path=place):
            return os.path.join(STARTED, found)
    raise CannotRun("the program `wirecanon` is neither in this environment nor on the path; WIRECANON names it")


def run(
    corpus: Corpus,
    folder: Union[str, os.PathLike[str]],
    *,
    listing: bool = False,
    log: Optional[pathlib.Path] = None,
    bless: bool = False,
    expires: Optional[str] = None,
) -> Run:
    """Runs the corpus in a folder. `listing` calls no function and holds nothing to expectations: it finds the cases."""
    if not hasattr(socket, "AF_UNIX"):
        raise CannotRun("this needs Unix sockets, which Python does not have here; see docs/testees/python.md for a testee")
    with tempfile.TemporaryDirectory(prefix="wirecanon-", dir=_temporary()) as own:
        way, log = os.path.join(own, "bridge"), log or pathlib.Path(own, "log")
        bridge = pathlib.Path(__file__).with_name("bridge.py")
        command = [program(), "--no-config", "gate", "--testee", shlex.join([sys.executable, "-I", str(bridge)])]
        command += ["--log", str(log), "--format", "json", "--timeout", str(corpus.timeout)]
        command += ["--suite", corpus.suite] if corpus.suite else []
        if listing:
            command += ["--rerun", "0", "--expectations", own]
        elif corpus.expectations is not None:
            command += ["--expectations", os.fspath(corpus.expectations)]
        command += ["--bless"] if bless else []
        command += ["--expires", expires] if bless and expires else []
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(way)
            door.listen()
            threading.Thread(target=_take, args=(door, corpus, listing), daemon=True).start()
            environment = {**os.environ, "WIRECANON_BRIDGE": way}
            try:
                done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
            except OSError as error:
                raise CannotRun(f"{command[0]}: {error}") from error
            finally:
                # Wakes the thread that waits there, which closing alone does not.
                door.shutdown(socket.SHUT_RDWR)
        try:
            gate = json.loads(done.stdout)
        except ValueError:
            said = done.stderr.decode(errors="replace").strip()
            raise CannotRun(f"`wirecanon gate` ended with {done.returncode}: {said}") from None
        return _read(corpus, log, done.returncode, gate)


def _temporary() -> str:
    """Where a run keeps what is its own. The path of a socket has room for about a hundred bytes: a long TMPDIR leaves too few."""
    given = tempfile.gettempdir()
    return given if len(os.fsencode(given)) <= 70 else "/tmp"


def _take(door: socket.socket, corpus: Corpus, listing: bool) -> None:
    # A function that hangs keeps its thread; wirecanon ends the bridge, starts another, and goes on in a thread of its own.
    while True:
        try:
            way, _ = door.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(way, corpus, listing), daemon=True).start()


def _serve(way: socket.socket, corpus: Corpus, listing: bool) -> None:
    loop = asyncio.new_event_loop()
    try:
        with way, way.makefile("rb") as lines:
            for line in lines:
                if listing and b'"op":"convert"' in line:
                    answer: Optional[bytes] = b'{"id":%d,"failed":"not asked yet"}\n' % json.loads(line)["id"]
                else:
                    answer = corpus.answer(line, loop)
                if answer is None:
                    return
                way.sendall(answer)
    except OSError:
        # The bridge was ended: nobody waits for the answer any more.
        return
    finally:
        loop.close()


def _dialects() -> dict[str, str]:
    done = subprocess.run([program(), "--no-config", "list", "targets", "--format", "json"], capture_output=True, check=True)
    return {target["id"]: target["dialect"] for target in json.loads(done.stdout)}


def _read(corpus: Corpus, log: pathlib.Path, code: int, gate: dict[str, Any]) -> Run:
    run = Run(code, gate["testees"][0])
    if gate.get("void"):
        run.gate.setdefault("error", gate["void"])
    dialects = _dialects()
    answers: dict[Key, str] = {}
    with open(log, "rb") as lines:
        for line in lines:
            # Most results are of pairs that nobody claims; in a string the quotes would be escaped.
            if b'"verdict":"unsupported"' in line:
                continue
            event = json.loads(line)
            if event["event"] == "case":
                run.titles[event["case"]] = event["title"]
                if not event.get("scored", True):
                    run.unscored.add(event["case"])
            elif event["event"] == "testee":
                run.notes = event.get("notes", [])
            elif event["event"] == "result":
                _answer(event, answers)
                key = (event["case"], event["from"], dialects[event["to"]])
                run.results.setdefault(key, []).append(event)
    return run


def _answer(event: dict[str, Any], answers: dict[Key, str]) -> None:
    """Puts the text of the answer into the event, where the log only names an equal one."""
    case, source, to = event["case"], event["from"], event["to"]
    for member in ("answer", "carried"):
        told = event.get(member)
        if told is None:
            continue
        if "same_as" in told:
            text = answers.get((case, *told["same_as"].split(" ", 1)), "")
        else:
            text = told.get("text") or told.get("base64") or told.get("begins", {}).get("text", "")
        answers[(case, member, f"{source} {to}")] = event[member] = text
