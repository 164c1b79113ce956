"""Runs the example workflows as GitHub would, on this machine: ci/check-action.sh.

Each example gets a project that `wirecanon testee new` writes. Every `run:` of the workflow and of the action is run as it stands,
with the environment that GitHub gives; the actions of others are played: a cache and artifacts are folders, a checkout is the
project, and the build of wirecanon, which takes minutes, is a copy. Said first is what the examples promise, then the project is
broken, and the gate must close.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
# How a step ends.
SUCCESS, FAILURE = "success", "failure"


class Wrong(Exception):
    """An example, or the action, does not do what it says."""


def words(text, known):
    """`text` with each `${{ … }}` in it worked out."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(worth(found.group(1), known)), str(text))


def worth(expression, known):
    """The worth of an expression of a workflow: names, strings, ==, !=, !, && and ||, and how the job stands."""
    tokens = re.findall(r"'(?:[^']|'')*'|[A-Za-z_][\w.-]*(?:\(\))?|==|!=|&&|\|\||!|\(|\)|\S", expression)
    translated = []
    for token in tokens:
        if token.startswith("'"):
            translated.append(repr(token[1:-1].replace("''", "'")))
        elif token in ("==", "!=", "(", ")"):
            translated.append(token)
        elif token in ("&&", "||", "!"):
            translated.append({"&&": " and ", "||": " or ", "!": " not "}[token])
        elif re.fullmatch(r"[A-Za-z_][\w.-]*(\(\))?", token):
            if token not in known and not token.startswith(("steps.", "inputs.")):
                raise Wrong(f"`{token}` in `{expression}` is not known here")
            translated.append(repr(known.get(token, "")))
        else:
            raise Wrong(f"`{token}` in `{expression}` is not understood here")
    return eval("".join(translated), {"__builtins__": {}})


def holds(condition, known, failed):
    """Whether a step or a job is run. One that does not ask how the job stands is not run once something failed."""
    asks = re.search(r"\b(always|success|failure|cancelled)\(\)", condition or "")
    stand = {"always()": True, "cancelled()": False, "success()": not failed, "failure()": failed}
    if condition is None:
        return not failed
    text = re.sub(r"^\s*\$\{\{(.*)\}\}\s*$", r"\1", str(condition))
    return bool(worth(text, {**known, **stand})) and (bool(asks) or not failed)


BUILT = "played: wirecanon is built"
# What is not the build of wirecanon is the work of the next cargo on the path.
CARGO = f"""#!/bin/sh
case $* in "+stable install "*) ;; *) PATH=${{PATH#*:}} exec cargo "$@" ;; esac
until [ "$1" = --root ]; do shift; done
mkdir -p "$2/bin"
cp "$PLAYED_PROGRAM" "$2/bin/wirecanon"
echo "{BUILT}"
"""


def put(file, script):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(script)
    file.chmod(0o755)


class Machine:
    """Where one workflow runs: a home for each job, artifacts and caches that outlive them."""

    def __init__(self, folder, program):
        self.home, self.artifacts, self.caches = folder / "home", folder / "artifacts", folder / "caches"
        for made in (self.home, self.artifacts, self.caches):
            made.mkdir()
        self.folder, self.program = folder, program
        put(folder / "tools/cargo", CARGO)
        put(folder / "tools/rustup", "#!/bin/sh\n")

    def new_home(self):
        """A home in which nothing is built, but which has programs of other versions."""
        shutil.rmtree(self.home)
        for other in (".wirecanon/bin/wirecanon", ".wirecanon/0123abcd/bin/wirecanon"):
            put(self.home / other, "#!/bin/sh\necho this is another version; exit 70\n")

    def run(self, workflow, project, event):
        """Runs a workflow; gives how each job ended, and all that was printed."""
        self.printed, ends = "", {}
        shutil.rmtree(self.artifacts)
        self.artifacts.mkdir()
        for name, job in workflow["jobs"].items():
            needs = job.get("needs", [])
            needs = [needs] if isinstance(needs, str) else needs
            if any(need not in ends for need in needs):
                raise Wrong(f"the job {name} needs one that stands behind it")
            failed = any(ends[need] == FAILURE for need in needs)
            if not holds(job.get("if"), dict(event), failed):
                ends[name] = "skipped"
                continue
            ends[name] = SUCCESS
            for index, cell in enumerate(cells(job.get("strategy", {}).get("matrix", {}))):
                known = {**event, **{f"matrix.{key}": value for key, value in cell.items()}}
                known.update({f"needs.{need}.result": ends[need] for need in needs})
                known.update({"github.job": name, "strategy.job-index": index, "runner.os": "Linux", "runner.arch": "X64"})
                checkout = self.folder / f"checkout-{name}-{index}"
                shutil.rmtree(checkout, ignore_errors=True)
                shutil.copytree(project, checkout, symlinks=True)
                self.new_home()
                if self.steps(job["steps"], known, checkout, {}) == FAILURE:
                    ends[name] = FAILURE
        return ends

    def steps(self, steps, known, checkout, environment):
        """Runs steps one behind the other in `checkout`."""
        failed = False
        for step in steps:
            if not holds(step.get("if"), known, failed):
                end = "skipped"
            elif "uses" in step:
                end = self.uses(step, known, checkout)
            else:
                end = self.shell(step, known, checkout, environment)
            known[f"steps.{step.get('id')}.outcome"] = end
            if end == FAILURE and step.get("continue-on-error") is not True:
                failed = True
        return FAILURE if failed else SUCCESS

    def shell(self, step, known, checkout, environment):
        summary, output = self.folder / "summary.md", self.folder / "output"
        output.write_text("")
        variables = {
            **os.environ, "HOME": str(self.home), "GITHUB_ACTIONS": "true", "CI": "true", "PLAYED_PROGRAM": self.program,
            "PATH": f"{self.folder / 'tools'}:{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(output), **environment,
            **{key: words(value, known) for key, value in step.get("env", {}).items()},
        }
        # Toolchains lie in the home of whoever runs this.
        for name, folder in (("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")):
            variables.setdefault(name, str(pathlib.Path.home() / folder))
        folder = checkout / step.get("working-directory", ".")
        script = words(step["run"], known)
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=folder, env=variables,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.printed += done.stdout
        for line in output.read_text().splitlines():
            key, _, value = line.partition("=")
            if "id" in step:
                known[f"steps.{step['id']}.outputs.{key}"] = value
        return SUCCESS if done.returncode == 0 else FAILURE

    def uses(self, step, known, checkout):
        action, given = step["uses"].split("@")[0], {key: words(value, known) for key, value in step.get("with", {}).items()}
        folder = lambda name: self.home / name[2:] if name.startswith("~/") else checkout / name
        if action == "actions/checkout":
            return SUCCESS
        if action.startswith("actions/setup-"):
            program = {"python": "python3", "node": "node"}[action.rpartition("-")[2]]
            if shutil.which(program) is None:
                raise Wrong(f"{program} is not on this machine")
            return SUCCESS
        if action in ("actions/cache", "actions/cache/restore", "actions/cache/save"):
            slot = lambda key: self.caches / re.sub(r"[^\w.-]", "_", key)
            here = folder(given["path"])
            if action == "actions/cache/save":
                if slot(given["key"]).exists():
                    raise Wrong(f"{given['key']} is kept already, and cannot be replaced")
                shutil.copytree(here, slot(given["key"]))
                return SUCCESS
            prefixes = [slot(key).name for key in given.get("restore-keys", "").split()]
            hits = [slot(given["key"])] + [hit for prefix in prefixes for hit in sorted(self.caches.glob(prefix + "*"))]
            hit = next((hit for hit in hits if hit.exists()), None)
            if hit is not None:
                shutil.copytree(hit, here, dirs_exist_ok=True)
            return SUCCESS
        if action == "actions/upload-artifact":
            if folder(given["path"]).exists():
                # Two of one name are refused.
                shutil.copytree(folder(given["path"]), self.artifacts / given["name"])
            return SUCCESS
        if action == "actions/download-artifact":
            for artifact in sorted(self.artifacts.glob(given["pattern"])):
                shutil.copytree(artifact, folder(given["path"]) / artifact.name)
            return SUCCESS
        if action == "wirecanon/wirecanon/ci/action":
            composite = yaml.safe_load((HERE / "action.yml").read_text())
            strange = set(given) - set(composite["inputs"])
            if strange:
                raise Wrong(f"the action has no input {sorted(strange)}")
            inputs = {f"inputs.{name}": given.get(name, described["default"]) for name, described in composite["inputs"].items()}
            inside = {**known, **inputs, "github.action_ref": step["uses"].split("@")[1]}
            end = self.steps(composite["runs"]["steps"], inside, checkout, {"GITHUB_ACTION_PATH": str(HERE)})
            for name, described in composite["outputs"].items():
                known[f"steps.{step.get('id')}.outputs.{name}"] = words(described["value"], inside)
            return end
        raise Wrong(f"{action} is not played here")


def cells(matrix):
    """Every cell of a matrix."""
    made = [{}]
    for key, values in matrix.items():
        made = [{**cell, key: value} for cell in made for value in values]
    return made


def event(ref, sha):
    return {"github.ref": ref, "github.sha": sha}


MAIN, PULL = "refs/heads/main", "refs/pull/7/merge"


def expect(what, condition, machine):
    if not condition:
        raise Wrong(f"{what}\n{machine.printed[-4000:]}")
    print(f"  {what}")


def builds_once(machine):
    """What the first run of a workflow says and leaves, whatever its gate says."""
    kept = [cache for cache in machine.caches.glob("wirecanon-Linux-X64-*") if (cache / "bin/wirecanon").exists()]
    expect("the first run builds wirecanon once, and keeps it", machine.printed.count(BUILT) == len(kept) == 1, machine)


def builds_nothing(machine):
    expect("a later run builds nothing", BUILT not in machine.printed, machine)


def example(name, program, broken, run):
    """A project for an example, and what it must do."""
    print(f"{name}.yml")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wirecanon-action-"))
    try:
        project = folder / "project"
        project.mkdir()
        subprocess.run([program, "testee", "new", "--language", name, "testee"], cwd=project, check=True, stdout=subprocess.DEVNULL)
        workflow = yaml.safe_load((HERE / f"examples/{name}.yml").read_text())
        file, old, new = broken

        def spoil():
            text = (project / file).read_text()
            if text.count(old) != 1:
                raise Wrong(f"{file} does not hold `{old}` once")
            (project / file).write_text(text.replace(old, new))

        run(Machine(folder, program), workflow, project, spoil, program)
    finally:
        shutil.rmtree(folder)


def bless(program, project, testee):
    done = subprocess.run([program, "gate", "--testee", testee, "--bless"], cwd=project, capture_output=True, text=True)
    if done.returncode != 0:
        raise Wrong(f"--bless: {done.stdout}{done.stderr}")


def gated(testee):
    """What a workflow with a file of expectations must do."""

    def run(machine, workflow, project, spoil, program):
        ends = machine.run(workflow, project, event(PULL, "1"))
        expect("without a file of expectations the gate is closed", ends["gate"] == FAILURE, machine)
        expect("and says how to write one", "--bless" in machine.printed and "::error title=wirecanon gate::" in machine.printed, machine)
        builds_once(machine)
        bless(program, project, testee)
        ends = machine.run(workflow, project, event(PULL, "2"))
        expect("with it the gate is open", set(ends.values()) == {SUCCESS} and "the gate is open" in machine.printed, machine)
        builds_nothing(machine)
        expect("the summary of the job says so", (machine.folder / "summary.md").stat().st_size > 0, machine)
        whole = next(machine.artifacts.glob("wirecanon-gate-0/run.ndjson")).read_bytes()
        subprocess.run([program, "test", "--testee", testee, "--log", "whole", "--suite", "2026.1"], cwd=project, stdout=subprocess.DEVNULL)
        expect("the log that is kept has every case", whole.count(b'"event":"case"') >= (project / "whole").read_bytes().count(b'"event":"case"') > 0, machine)
        (project / "whole").unlink()
        if "shards" in workflow["jobs"]:
            broken = project / "testee/broken.test.mjs"
            broken.write_text("throw new Error('as the exercise wants it')")
            ends = machine.run(workflow, project, event(PULL, "3"))
            expect("a part that was not asked closes it", ends["shards"] == ends["gate"] == FAILURE, machine)
            broken.unlink()
        spoil()
        ends = machine.run(workflow, project, event(PULL, "4"))
        expect("what got worse closes it", ends["gate"] == FAILURE and "newly failing" in machine.printed, machine)

    return run


def compared(machine, workflow, project, spoil, program):
    ends = machine.run(workflow, project, event(PULL, "1"))
    expect("without a log of main nothing is worse", ends["gate"] == SUCCESS and "nothing to be worse than" in machine.printed, machine)
    builds_once(machine)
    ends = machine.run(workflow, project, event(MAIN, "2"))
    expect("main keeps its log", ends["gate"] == SUCCESS and (machine.caches / "wirecanon-base-2/run.ndjson").exists(), machine)
    builds_nothing(machine)
    ends = machine.run(workflow, project, event(PULL, "3"))
    expect("the same is no worse", ends["gate"] == SUCCESS and "nothing blocks" in machine.printed, machine)
    spoil()
    ends = machine.run(workflow, project, event(PULL, "4"))
    expect("what got worse closes the gate", ends["gate"] == FAILURE and "newly failing" in machine.printed, machine)
    ends = machine.run(workflow, project, event(MAIN, "5"))
    expect("main says so too, and keeps its log", ends["gate"] == FAILURE and (machine.caches / "wirecanon-base-5/run.ndjson").exists(), machine)
    shutil.rmtree(machine.caches / "wirecanon-base-2")
    ends = machine.run(workflow, project, event(PULL, "6"))
    expect("what main accepted is no worse", ends["gate"] == SUCCESS and "nothing blocks" in machine.printed, machine)
    entry = project / "testee/src/main.rs"
    entry.write_text(entry.read_text().replace("fn main() {", "fn main() {\n    std::process::exit(9);"))
    ends = machine.run(workflow, project, event(MAIN, "7"))
    kept = (machine.caches / "wirecanon-base-7").exists()
    expect("main keeps no log of a testee that does not start", ends["gate"] == FAILURE and "does not start" in machine.printed and not kept, machine)


# Mistakes that the adapter's own test does not see: the words of tools go missing, an id stands under another name.
PYTHON = """    for message in listed(document, "messages"):
        if message.get("role") == "tool":
            message["content"] = "x"
    return document"""
TYPESCRIPT = """  for (const message of document.messages ?? []) if (message.role === "tool") message.content = "x";
  return document;"""
RUST = r'Answer::Output(text.replace("\"tool_call_id\"", "\"toolCallId\""))'

EXAMPLES = {
    "python": (("testee/conversion.py", "    return document", PYTHON), gated("python3 testee/adapter.py")),
    "typescript": (("testee/conversion.mjs", "  return document;", TYPESCRIPT), gated("node testee/adapter.mjs")),
    "rust": (("testee/src/conversion.rs", "Answer::Output(text.to_owned())", RUST), compared),
}


def main(program, names):
    for name in names or EXAMPLES:
        if name not in EXAMPLES:
            raise Wrong(f"there is no example {name}; there are: {', '.join(EXAMPLES)}")
        example(name, program, *EXAMPLES[name])
    missing = {path.stem for path in (HERE / "examples").glob("*.yml")} - set(EXAMPLES)
    if missing:
        raise Wrong(f"nobody tries {sorted(missing)}")


if __name__ == "__main__":
    try:
        main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:])
    except Wrong as error:
        sys.exit(f"check-action: {error}")
