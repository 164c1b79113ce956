"""How fast published packages convert a transcript, beside the reference: each a process that answers the line protocol.

    normalizers.py PROGRAM ADAPTERS FOLDER SECONDS ROUNDS [NAME...]

Every testee gets the same transcript in its own dialect, and writes it for Anthropic, again and again; all take turns in each
round, and the median counts. Seconds are those that its process was given, so parsing the request and printing the answer are
among them, and starting is not. One more, `echo`, reads each request and gives its input back: what the pipe takes, and what is
taken off of all for the last column. Prints Markdown, and JSON into FOLDER/normalizers.json.
"""

import fcntl
import json
import os
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

TO = "anthropic.messages"
SETS = ["text", "images"]
WARM = 3
PIPE = 1 << 20
ECHO = "echo"
TICK = os.sysconf("SC_CLK_TCK")


class Testee:
    """A process that is asked, line by line."""

    def __init__(self, name, command, folder):
        self.name = name
        self.child = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        # Of a pipe of 64 kB a line is read in many parts, and to wake for each takes a third of the time of whoever is fast.
        for pipe in (self.child.stdin, self.child.stdout):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
        self.asked = 0
        hello = self.ask({"wirecanon": 1, "op": "hello"})
        dialects = [pair["from"] for pair in hello["conversions"] if pair["to"] == TO]
        self.takes_json = "json" in hello.get("accepts", ["json"])
        self.dialect = "openai.chat" if "openai.chat" in dialects else dialects[0]

    def line(self, request):
        self.child.stdin.write(request)
        self.child.stdin.flush()
        while True:
            answer = self.child.stdout.readline()
            if not answer:
                raise RuntimeError(f"{self.name} ended")
            if answer.startswith(b"{"):
                return answer

    def ask(self, request):
        return json.loads(self.line(json.dumps(request).encode() + b"\n"))

    def convert(self, input_text):
        """The line of a request; ids are never given twice."""
        self.asked += 1
        form = "input" if self.takes_json else "input_text"
        head = f'{{"id":{self.asked},"op":"convert","from":"{self.dialect}","to":"{TO}","for":"request","{form}":'
        return self.line(head.encode() + input_text + b"}\n")

    def seconds(self):
        """What the kernel gave the process and its threads."""
        stat = Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICK

    def end(self):
        self.child.kill()
        self.child.wait()


def started(name, program, adapters):
    if name in ("reference", ECHO):
        return Testee(name, [program, "testee", "serve"] + (["--echo"] if name == ECHO else []), ".")
    folder = adapters / name
    told = tomllib.loads((folder / "testee.toml").read_text())
    words = {"{node}": os.environ.get("NODE", "node"), "{python}": str(folder / "venv/bin/python"), "{here}": str(folder)}
    command = []
    for word in told["command"]:
        for key, value in words.items():
            word = word.replace(key, value)
        command.append(word)
    return Testee(name, command, folder)


def spelled(program, source, dialect, folder):
    """The transcript in a dialect, on one line."""
    if dialect == "openai.chat":
        return source.read_bytes().strip()
    out = folder / f"{source.stem}.{dialect}.json"
    subprocess.run([program, "fix", "--from", "openai.chat", "--to", dialect, "-o", out, source], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.dumps(json.loads(out.read_bytes()), ensure_ascii=False, separators=(",", ":")).encode()


def main():
    program, adapters, folder, seconds, rounds, *names = sys.argv[1:]
    adapters, folder, seconds, rounds = Path(adapters).resolve(), Path(folder), float(seconds), int(rounds)
    names = ["reference", ECHO] + (names or sorted(path.parent.name for path in adapters.glob("*/testee.toml")))
    testees = []
    for name in names:
        try:
            testees.append(started(name, program, adapters))
        except (OSError, RuntimeError, LookupError, ValueError) as error:
            print(f"bench-normalizers: {name} is left out: {error!r}", file=sys.stderr)
    figures = []
    for data_set in SETS:
        source = folder / f"{data_set}.json"
        messages = len(json.loads(source.read_bytes())["messages"])
        times, inputs, refused = {}, {}, {}
        for testee in testees:
            text = spelled(program, source, testee.dialect, folder)
            if not testee.takes_json:
                text = json.dumps(text.decode(), ensure_ascii=False).encode()
            inputs[testee.name] = text
            answer = json.loads(testee.convert(text))
            if not {"output", "output_text"} & answer.keys():
                refused[testee.name] = json.dumps(answer.get("refused") or answer.get("failed"))[:120]
            for _ in range(WARM):
                testee.convert(text)
        for _ in range(rounds):
            for testee in testees:
                before, count = testee.seconds(), 0
                while testee.seconds() - before < seconds:
                    testee.convert(inputs[testee.name])
                    count += 1
                times.setdefault(testee.name, []).append((testee.seconds() - before) / count)
        for testee in testees:
            if testee.name in refused:
                print(f"bench-normalizers: {testee.name} does not convert {data_set}: {refused[testee.name]}",
                      file=sys.stderr)
                continue
            rounds_of = list(zip(times[testee.name], times["reference"], times[ECHO]))
            took = statistics.median(times[testee.name])
            figures.append({
                "testee": testee.name, "from": testee.dialect, "set": data_set,
                "messages_a_second": round(messages / took), "megabytes_a_second": len(inputs[testee.name]) / took / 1e6,
                "reference_by_testee": statistics.median(theirs / ours for theirs, ours, _ in rounds_of),
                "without_the_pipe": statistics.median((theirs - pipe) / (ours - pipe) for theirs, ours, pipe in rounds_of)})
    for testee in testees:
        testee.end()
    (folder / "normalizers.json").write_text(json.dumps(figures, indent=1) + "\n")
    print("| testee | reads | data set | messages a second | MB a second | the reference is faster by | without the pipe |")
    print("|---|---|---|---:|---:|---:|---:|")
    for row in figures:
        ours = row["testee"] in ("reference", ECHO)
        ratios = ["" if ours else format(row[key], ".1f") for key in ("reference_by_testee", "without_the_pipe")]
        print(f"| {row['testee']} | {row['from']} | {row['set']} | {row['messages_a_second']} | "
              f"{row['megabytes_a_second']:.1f} | {ratios[0]} | {ratios[1]} |")


if __name__ == "__main__":
    main()
