"""The plugin of pytest: a `Corpus` in a file of tests is a test for each case and pair of dialects, and one for the gate."""

from __future__ import annotations

import pathlib
from typing import Any, Iterator, Optional

import pytest

from .corpus import Corpus
from .run import CannotRun, Key, Run, run

MOST = 20
"""Ways to fail that one test tells."""
SHOWN = 1500
"""Characters of an answer that a test tells."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wirecanon")
    group.addoption("--wirecanon-bless", action="store_true", help="write what fails today into the file of expectations")
    group.addoption("--wirecanon-expires", metavar="DAY", help="with --wirecanon-bless: the last day of new entries")
    group.addoption("--wirecanon-log", metavar="DIR", help="keep the log of each run, for `wirecanon report`")


CORPORA = pytest.StashKey[dict[str, "Cases"]]()
"""The corpora that were found, by the file of expectations that their names make."""


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: Any) -> Optional["Cases"]:
    # Of its type alone: `isinstance` asks for `__class__` too, at which a lazy object does what it put off.
    if issubclass(type(obj), Corpus):
        return Cases.from_parent(collector, name=name, corpus=obj)
    return None


class Cases(pytest.Collector):
    """The tests of one corpus. Its functions are called when the first test runs, for all of them."""

    def __init__(self, *, corpus: Corpus, **rest: Any) -> None:
        super().__init__(**rest)
        self.corpus = corpus
        self._run: Optional[Run] = None
        self._why: Optional[CannotRun] = None

    def collect(self) -> Iterator[pytest.Item]:
        if not self.corpus.pairs:
            raise self.CollectError(f"the corpus `{self.corpus.name}` has no function: `@{self.name}.converts(FROM, TO)`")
        try:
            found = run(self.corpus, self.config.rootpath, listing=True)
        except (CannotRun, OSError) as why:
            raise self.CollectError(str(why)) from why
        if "error" in found.gate or found.notes:
            raise self.CollectError(found.gate.get("error") or "; ".join(found.notes))
        file = pathlib.Path(found.gate["file"]).name
        other = self.session.stash.setdefault(CORPORA, {}).setdefault(file, self)
        if other.corpus is not self.corpus:
            raise self.CollectError(
                f"two corpora would share {file}, the file of expectations: `{other.corpus.name}` at {other.nodeid} and "
                f"`{self.corpus.name}` at {self.nodeid}; give one another name"
            )
        for key in sorted(found.results):
            case, source, to = key
            yield Case.from_parent(self, name=f"{case}[{source}->{to}]", key=key)
        yield Gate.from_parent(self, name="gate")

    def judged(self) -> Run:
        """The one run, made when it is first asked for."""
        if self._run is None and self._why is None:
            folder = self.config.getoption("wirecanon_log")
            log = pathlib.Path(folder, f"{self.corpus.name}.ndjson").absolute() if folder else None
            if log:
                log.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._run = run(
                    self.corpus,
                    self.config.rootpath,
                    log=log,
                    bless=self.config.getoption("wirecanon_bless"),
                    expires=self.config.getoption("wirecanon_expires"),
                )
            except CannotRun as why:
                self._why = why
        if self._run is None:
            raise NotAsAsked(str(self._why))
        return self._run


class NotAsAsked(Exception):
    """A test fails with these words."""


class Judged(pytest.Item):
    """Tells its failures in words, without a trace of Python."""

    parent: Cases

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, (NotAsAsked, pytest.xfail.Exception, pytest.skip.Exception)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, Optional[int], str]:
        return self.path, None, f"{self.parent.name}: {self.name}"


class Case(Judged):
    """A case, asked in one dialect and answered in another, for every server that is claimed."""

    def __init__(self, *, key: Key, **rest: Any) -> None:
        super().__init__(**rest)
        self.key = key

    def runtest(self) -> None:
        judged = self.parent.judged()
        case, source, _ = self.key
        results = {result["to"]: result for result in judged.results.get(self.key, [])}
        if not results:
            raise NotAsAsked(judged.gate.get("error") or "it was not judged on this case")

        def here(failures: list[dict[str, Any]]) -> list[dict[str, Any]]:
            mine = [one for one in failures if one["case"] == case and one["from"] == source]
            mine = [{**one, "to": [to for to in one["to"] if to in results]} for one in mine]
            return [one for one in mine if one["to"]]

        title = judged.titles.get(case, "")
        if wrong := here(judged.gate["regressions"]):
            raise NotAsAsked("\n".join([title, *(_told(one, results[one["to"][0]]) for one in wrong[:MOST])]))
        better = [one for one in judged.gate["stale"] if one["case"] == case and one["kind"] == "better-than-expected"]
        if better:
            file = judged.gate["file"]
            raise NotAsAsked("\n".join(f"[XPASS(strict)] {file}:{one['line']}: {one['message']}" for one in better))
        failing = [result for result in results.values() if not result["ok"]]
        if failing and case in judged.unscored:
            pytest.skip(f"not of the suite, so it fails nothing: {_because(failing[0])}")
        if failing:
            why = f"{judged.gate['file']}: {_because(failing[0])}"
            pytest.xfail(why)
            # With --runxfail that did nothing: it fails as any test does.
            raise NotAsAsked("\n".join([title, why]))


class Gate(Judged):
    """What is wrong with the whole, and with entries that are about no test of their own."""

    def runtest(self) -> None:
        judged = self.parent.judged()
        cases = {case for case, _, _ in judged.results}
        wrong = [judged.gate["error"]] if "error" in judged.gate else []
        for one in judged.gate["stale"]:
            if one["kind"] != "better-than-expected" or one["case"] not in cases:
                wrong.append(f"{judged.gate['file']}:{one['line']}: {one['case']}: {one['kind']}: {one['message']}")
        if judged.exit in (4, 5):
            few = f"only {judged.gate['judged']} cases were judged, fewer than {judged.gate['file']} asks for"
            wrong.append(few if judged.exit == 4 else "the run is incomplete")
        if wrong:
            wrong.append("`pytest --wirecanon-bless` brings the file up to date")
            raise NotAsAsked("\n".join(wrong))


def _told(failure: dict[str, Any], result: dict[str, Any]) -> str:
    """One way in which a case fails, by the words of the gate and of the log."""
    to = failure["to"]
    servers = ", ".join(to[:4]) + (f" and {len(to) - 4} more" if len(to) > 4 else "")
    lines = [f"{failure['kind']}: {failure['from']} -> {servers}: {failure['verdict']}"]
    for broken in result.get("violations", [])[:MOST]:
        lines.append(f"  {broken['rule']} at {broken['pointer'] or 'the whole'}: {broken['message']}")
    lines += [f"  lost {lost}" for lost in result.get("lost", [])[:MOST]]
    lines += [f"  {words}" for failed in result.get("failures", []) for words in failed.splitlines()]
    if difference := result.get("difference"):
        lines += [f"  differs at {difference['pointer'] or 'the whole'}", f"    expected {difference['expected']}"]
        lines.append(f"    actual   {difference['actual']}")
    if entry := failure.get("entry"):
        lines.append(f"  expected on line {entry['line']}: {entry['verdict']}: {'; '.join(entry['because'])}")
    for word, member in (("asked ", "carried"), ("answer", "answer")):
        if text := result.get(member):
            lines.append(f"  {word} {text[:SHOWN]}{'…' if len(text) > SHOWN else ''}")
    rules = dict.fromkeys(broken["rule"] for broken in result.get("violations", []))
    lines += [f"  see: wirecanon explain {rule}" for rule in rules]
    return "\n".join(lines)


def _because(result: dict[str, Any]) -> str:
    reasons = [f"{broken['rule']} at {broken['pointer']}" for broken in result.get("violations", [])]
    reasons += [f"lost {lost}" for lost in result.get("lost", [])] + result.get("failures", [])
    if not reasons and (difference := result.get("difference")):
        reasons.append(f"differs at {difference['pointer']}")
    return f"{result['verdict']}: {'; '.join(reasons[:3])}"
