"""What ci/soak.sh runs: MINUTES PROGRAM SEED."""

import http.client
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time

MINUTES, PROGRAM = int(sys.argv[1]), os.path.abspath(sys.argv[2])
# Which messages the long search asks.
SEED = sys.argv[3]
TESTEE = pathlib.Path(__file__).with_name("testee.py").resolve()
# How much more than after the first quarter the last may take: pages that an allocator has not given back yet, and no more.
MEBIBYTES, DESCRIPTORS = 24, 8
MARK = b"WIRECANON_MARK="


def status(process):
    """Mebibytes, descriptors, threads and children of a process, or None when it has ended."""
    folder = pathlib.Path("/proc", str(process))
    try:
        told = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        children = sum(children_of(task) for task in (folder / "task").iterdir())
        return {
            "MiB": int(told["VmRSS"].split()[0]) / 1024,
            "descriptors": len(os.listdir(folder / "fd")),
            "threads": int(told["Threads"]),
            "children": children,
        }
    except (OSError, KeyError):
        return None


def children_of(task):
    """Of one thread, which may have ended since it was listed: then its process goes on all the same."""
    try:
        return len((task / "children").read_text().split())
    except OSError:
        return 0


def marked(but=()):
    """Processes that a testee of ours started and that are still there, without those of the one that runs all the time."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if not folder.name.isdigit():
                continue
            environment = (folder / "environ").read_bytes().split(b"\0")
            told = (folder / "status").read_text()
        except OSError:
            continue
        own = f"SOAK={os.getpid()}".encode() in environment and any(one.startswith(MARK) for one in environment)
        if own and "State:\tZ" not in told and f"ROUND={but}".encode() not in environment:
            found.append(int(folder.name))
    return found


def environment(name):
    return {**os.environ, "SOAK": str(os.getpid()), "ROUND": name}


def asked(port, rng):
    """Some requests as people and programs send them, and some as nobody should."""
    body = json.dumps([{"role": "user", "content": "x" * rng.randrange(20000)}, {"role": "tool", "tool_call_id": "1", "content": "y"}])
    told = {}
    for method, path, body, headers in [
        ("GET", "/", None, {}),
        ("GET", "/corpus", None, {}),
        ("GET", "/api/cases?q=orphan", None, {}),
        ("GET", "/../../etc/passwd", None, {}),
        ("POST", "/api/fix?to=anthropic", body, {"Content-Type": "application/octet-stream"}),
        ("POST", "/api/check", body, {"Content-Type": "application/octet-stream"}),
        ("POST", "/api/fix", "[" * 100000, {"Content-Type": "application/octet-stream"}),
        ("POST", "/api/fix", body, {"Content-Type": "text/plain"}),
        ("GET", "/api/about", None, {"Host": "evil.example"}),
    ]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        told[answer.status // 100] = told.get(answer.status // 100, 0) + 1
        connection.close()
    # One that says half of a request and goes away.
    with socket.create_connection(("127.0.0.1", port)) as half:
        half.sendall(b"POST /api/fix HTTP/1.1\r\nContent-Length: 900\r\n")
    return told


def main():
    rng = random.Random(9)
    wrong, answers, ended = [], {}, {}
    with tempfile.TemporaryDirectory() as place:
        serve = subprocess.Popen([PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=place, env=environment("serve"))
        port = int(serve.stdout.readline().decode().strip().rstrip("/").rsplit(":", 1)[1])
        long = [PROGRAM, "fuzz", "--testee", f"python3 {TESTEE} all 500", "--time", f"{MINUTES + 60}m", "--timeout", "2", "--shrink", "20", "--seed", SEED, "--state", place]
        fuzz = subprocess.Popen(long, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=place, env=environment("fuzz"))
        samples = {"serve": [], "fuzz": []}
        started = said = time.monotonic()
        rounds = 0
        try:
            while time.monotonic() - started < MINUTES * 60:
                for code, count in asked(port, rng).items():
                    answers[code] = answers.get(code, 0) + count
                harm = ["crash", "hang", "flood", "leave"][rounds % 4]
                testee = ["--testee", f"python3 {TESTEE} {harm} 20", "--timeout", "1"]
                words = [["test", "--case", "orphan*"], ["test", "--format", "html", "--case", "late*"], ["fuzz", "--runs", "20", "--shrink", "3"]][rounds % 3]
                done = subprocess.run([PROGRAM, *words, *testee], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=place, env=environment("once"), timeout=1800)
                ended[done.returncode] = ended.get(done.returncode, 0) + 1
                if done.returncode < 0 or b"panicked" in done.stderr:
                    wrong.append(f"{words} with {harm}: {done.returncode}: {done.stderr[-400:]}")
                left = marked(but="fuzz")
                if left:
                    wrong.append(f"{words} with {harm}: processes left: {left}")
                for name, process in (("serve", serve), ("fuzz", fuzz)):
                    now = status(process.pid) if process.poll() is None else None
                    if now is None:
                        raise RuntimeError(f"{name} ended: {process.poll()}: {process.poll() is not None and process.stderr and process.stderr.read()[:1500]}")
                    samples[name].append(now)
                rounds += 1
                if time.monotonic() - said > 60:
                    said = time.monotonic()
                    print(f"{(said - started) / 60:.0f} min, {rounds} runs:", {name: samples[name][-1] for name in samples}, flush=True)
        except (RuntimeError, OSError, http.client.HTTPException, subprocess.TimeoutExpired) as error:
            wrong.append(str(error))
        finally:
            fuzz.send_signal(2)
            try:
                fuzz.wait(120)
            except subprocess.TimeoutExpired:
                wrong.append("fuzz does not end when it is asked to")
                fuzz.kill()
            serve.terminate()
            serve.wait()
        if marked():
            wrong.append(f"processes left at the end: {marked()}")
    for name, all_of_it in samples.items():
        quarter = max(1, len(all_of_it) // 4)
        for what, bound in (("MiB", MEBIBYTES), ("descriptors", DESCRIPTORS), ("threads", DESCRIPTORS), ("children", DESCRIPTORS)):
            if not all_of_it:
                continue
            early = sorted(one[what] for one in all_of_it[quarter : 2 * quarter] or all_of_it)
            late = sorted(one[what] for one in all_of_it[-quarter:])
            early, late = early[len(early) // 2], late[len(late) // 2]
            print(f"{name}: {what}: {early:.1f} in the second quarter, {late:.1f} in the last")
            if late > early + bound:
                wrong.append(f"{name}: {what} grew from {early:.1f} to {late:.1f}")
    print(f"{(time.monotonic() - started) / 60:.1f} minutes, {rounds} runs (exit codes {ended}), answers {answers}")
    for line in wrong:
        print("wrong:", line)
    sys.exit(1 if wrong or not rounds else 0)


main()
