"""A testee that gives back what it was given, and now and then does what its first word says: crash, hang, flood or leave.
Alone it does no harm. How often is its second word: one of so many requests (default: 40)."""

import json
import subprocess
import sys
import time

harm = sys.argv[1] if len(sys.argv) > 1 else ""
every = int(sys.argv[2]) if len(sys.argv) > 2 else 40
json.loads(sys.stdin.readline())
hello = {"wirecanon": 1, "name": "echo", "conversions": [{"from": "openai.chat", "to": "openai.chat"}]}
print(json.dumps(hello), flush=True)
for number, line in enumerate(sys.stdin, 1):
    ask = json.loads(line)
    if ask.get("op") == "bye":
        break
    kinds = ["crash", "hang", "flood", "leave"] if harm == "all" else [harm]
    kind = kinds[number // every % len(kinds)] if number % every == 0 else ""
    if kind == "crash":
        sys.exit(9)
    if kind == "hang":
        time.sleep(600)
    if kind == "flood":
        for _ in range(2000):
            print("no answer " * 10)
    if kind == "leave":
        subprocess.Popen(["setsid", "sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    print(json.dumps({"id": ask["id"], "output": ask.get("input")}), flush=True)
