"""What ci/faults.sh runs: KILLS REFUSALS SEED PROGRAM."""

import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KILLS, REFUSALS, SEED = (int(word) for word in sys.argv[1:4])
PROGRAM = os.path.abspath(sys.argv[4])
TESTEE = f"python3 {pathlib.Path(__file__).with_name('testee.py').resolve()}"
# The prefix of a file that is not whole yet; nothing takes one for what it is not.
BEGUN = ".wirecanon-"
# What writes, and what makes what was written a file of its name. Reading is left alone: a file that cannot be read is not written either.
CALLS = ["write", "fsync", "rename", "renameat2", "link", "linkat", "fchmod", "mkdir"]
LONGEST = 120
BROKEN = '[{"role":"user","content":"%s"},{"role":"tool","tool_call_id":"gone","content":"%d"}]'


def run(words, place, **more):
    return subprocess.run([PROGRAM, *words], cwd=place, capture_output=True, timeout=LONGEST, **more)


def files(place):
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


class Fix:
    """Every session is what it was, with the backup that it has then or not, or the mended one with a backup of what it was."""

    words = ["fix", "--in-place", "sessions"]
    codes = {0}

    def lay(self, place):
        (place / "sessions").mkdir()
        for number in range(12):
            (place / "sessions" / f"{number}.json").write_text(BROKEN % ("x" * (number * 9000 + 1), number))

    def whole(self, old, new, now):
        for name, text in old.items():
            if now.get(name) not in (text, new[name]):
                return f"{name} is neither the old nor the new one"
            if now[name] == new[name] != text and now.get(name + ".bak") != text:
                return f"{name} was replaced, and its backup is not what it was"
        return next((f"{name}: not the old text" for name in now if ".bak" in name and now[name] != old[name.split(".bak")[0]]), None)

    def same(self, new, now):
        return all(now.get(name) == text for name, text in new.items())


class Bless:
    """The file of expectations is the old or the new one."""

    words = ["gate", "--from-log", "run.ndjson", "--expectations", "expected.toml", "--bless", "--today", "2026-01-01"]
    codes = {0}
    log = None

    def lay(self, place):
        (place / "expected.toml").write_text("# Kept by hand.\n")
        (place / "run.ndjson").write_bytes(self.log)

    def whole(self, old, new, now):
        return one_of("expected.toml", old, new, now)

    def same(self, new, now):
        return now == new


class Page:
    """The page is the one of before or the new one."""

    words = ["test", "--case", "orphan*", "--format", "html", "-o", "page.html"]
    codes = {0}

    def lay(self, place):
        (place / "page.html").write_text("<p>yesterday")

    def whole(self, old, new, now):
        return one_of("page.html", old, new, now)

    def same(self, new, now):
        return now == new


class Fuzz:
    """What is stored is read again, never goes back, and the run ends with what one that nobody stopped has found."""

    words = ["fuzz", "--testee", TESTEE, "--runs", "150", "--shrink", "4", "--state", "state", "--out", "found", "--timeout", "60"]
    codes = {1}

    def lay(self, place):
        (place / "state").mkdir()
        self.most = 0

    def whole(self, old, new, now):
        for name, text in now.items():
            if name.startswith("found/") and text != new.get(name):
                return f"{name} is not the case that a run makes that nobody stops"
        text = now.get("state/fuzz.json")
        if text is None:
            return "what was stored is gone" if self.most else None
        runs = json.loads(text)["runs"]
        if runs < self.most:
            return f"{runs} runs are stored, and {self.most} were"
        self.most = runs
        return None

    def same(self, new, now):
        return {name: text for name, text in now.items() if name.startswith("found/")} == {
            name: text for name, text in new.items() if name.startswith("found/")
        }


def one_of(name, old, new, now):
    return None if now.get(name) in (old[name], new[name]) else f"{name} is neither the old nor the new one"


class Trial:
    """One command, what it starts from and what it ends with when nothing fails."""

    def __init__(self, kind, room):
        self.kind, self.room, self.name = kind, room, " ".join(kind.words[:2])
        self.wrong, self.counts = [], {}
        place = self.fresh()
        self.old = files(place)
        done = run(kind.words, place)
        self.new = files(place)
        # The quickest, so that few rounds end before they are killed.
        self.took = min(self.timed() for _ in range(3))
        if done.returncode not in kind.codes or self.new == self.old:
            sys.exit(f"faults: {self.name} does nothing: {done.returncode}: {done.stderr.decode()[-600:]}")

    def fresh(self):
        shutil.rmtree(self.room, ignore_errors=True)
        self.room.mkdir()
        self.kind.lay(self.room)
        return self.room

    def timed(self):
        place, started = self.fresh(), time.monotonic()
        run(self.kind.words, place)
        return time.monotonic() - started

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def look(self, after):
        """Holds what is there now against what may be."""
        now = files(self.room)
        begun = [name for name in now if pathlib.Path(name).name.startswith(BEGUN)]
        for name in begun:
            del now[name]
        try:
            words = self.kind.whole(self.old, self.new, now)
        except (ValueError, KeyError) as error:
            words = f"what is stored cannot be read: {error}"
        if words:
            self.wrong.append(f"{self.name}, {after}: {words}")
        return now, begun

    def goes_on(self, after):
        """The same command, undisturbed, ends with what it would have."""
        done = run(self.kind.words, self.room)
        now, begun = self.look(after + " and once more")
        if done.returncode not in self.kind.codes or not self.kind.same(self.new, now):
            self.wrong.append(f"{self.name}, {after}: it does not go on: {done.returncode}: {done.stderr.decode()[-300:]}")
        if begun and self.kind.__class__ is Fuzz:
            self.wrong.append(f"{self.name}, {after}: {begun} are left for good")

    def killed(self, rng, times):
        self.fresh()
        for number in range(times):
            child = subprocess.Popen([PROGRAM, *self.kind.words], cwd=self.room, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                child.wait(rng.uniform(0, self.took * 1.1))
                self.count("ended before it was killed")
            except subprocess.TimeoutExpired:
                # The program alone: what it started is left to find that out.
                os.kill(child.pid, signal.SIGKILL)
                child.wait()
                self.count("killed")
            after = f"killed {number + 1} times"
            now, begun = self.look(after)
            if begun:
                self.count("of these with a file half written under a name of its own")
            ended = self.kind.same(self.new, now)
            if ended or number % 10 == 9 or number == times - 1:
                self.goes_on(after)
                self.fresh()

    def refused(self, rng, times):
        """One call to the system fails, as strace makes it."""
        place = self.fresh()
        trace = place.with_name("trace")
        calls = ["-f", "-qq", "-o", str(trace), "-e", f"trace={','.join(CALLS)}"]
        subprocess.run(["strace", *calls, PROGRAM, *self.kind.words], cwd=place, capture_output=True, timeout=LONGEST)
        made = {}
        for line in trace.read_text(errors="replace").splitlines():
            if found := re.match(r"(\d+) +(\w+)\(", line):
                made.setdefault(found[2], {}).setdefault(found[1], 0)
                made[found[2]][found[1]] += 1
        # strace counts for each thread.
        all_of_it = [(call, number) for call in sorted(made) for number in range(1, max(made[call].values()) + 1)]
        rng.shuffle(all_of_it)
        # The rare calls are those that matter most: all of them come before the writes.
        all_of_it.sort(key=lambda one: one[0] == "write")
        for call, number in all_of_it[:times]:
            error = rng.choice(["ENOSPC", "EIO"])
            self.fresh()
            after = f"{call} {number} fails with {error}"
            words = ["strace", *calls, "-e", f"inject={call}:error={error}:when={number}", PROGRAM, *self.kind.words]
            self.judged(after, subprocess.run(words, cwd=self.room, capture_output=True, timeout=LONGEST), error)

    def cut(self, rng, times):
        """Files may have so many bytes and no more: a write is cut short there, and the next one fails."""
        longest = max(map(len, self.new.values()))
        for _ in range(times):
            limit = rng.randrange(longest)
            self.fresh()
            # What is laid down is longer than some limits already; it is read, not written.
            limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            self.judged(f"files end at {limit} bytes", run(self.kind.words, self.room, preexec_fn=limited, restore_signals=False), "cut short")

    def judged(self, after, done, kind):
        self.count(kind)
        said = done.stderr.decode(errors="replace")
        if "panicked" in said or done.returncode < 0 or done.returncode > 128:
            self.wrong.append(f"{self.name}, {after}: it falls: {done.returncode}: {said[-300:]}")
        now, _ = self.look(after)
        if done.returncode in self.kind.codes and not self.kind.same(self.new, now):
            self.wrong.append(f"{self.name}, {after}: it says that all is well, and has not written all")
        self.goes_on(after)


def main():
    rng = random.Random(SEED)
    strace = shutil.which("strace")
    works = strace and subprocess.run(["strace", "-qq", "-e", "inject=write:error=EIO:when=1", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
    wrong = []
    with tempfile.TemporaryDirectory(prefix="wirecanon-faults-") as room:
        room = pathlib.Path(room)
        ran = run(["test", "--testee", TESTEE, "--timeout", "60", "--log", "run.ndjson"], room)
        Bless.log = (room / "run.ndjson").read_bytes()
        if ran.returncode != 1:
            sys.exit(f"faults: no log to bless: {ran.returncode}: {ran.stderr.decode()[-600:]}")
        for kind in (Fix, Bless, Page, Fuzz):
            trial = Trial(kind(), room / "trial")
            trial.killed(rng, KILLS)
            if works:
                trial.refused(rng, REFUSALS)
            trial.cut(rng, REFUSALS // 4)
            wrong += trial.wrong
            print(f"{trial.name}: {', '.join(f'{count} {what}' for what, count in trial.counts.items())}; {len(trial.wrong)} wrong", flush=True)
            for line in trial.wrong[:20]:
                print("  wrong:", line, flush=True)
    if not works:
        print("faults: not run: calls that fail; it needs strace, and leave to trace")
    sys.exit(1 if wrong else 0)


main()
