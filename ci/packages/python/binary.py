"""Puts the program into the wheel.

WIRECANON_BINARY names it; without, cargo builds it, which needs a clone of the repository. WIRECANON_PLATFORM is the wheel's
platform, `manylinux_2_17_x86_64` as an example; without, that of the interpreter that builds.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SUFFIX = ".exe" if os.name == "nt" else ""


class Binary(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        given = os.environ.get("WIRECANON_BINARY")
        program = pathlib.Path(given) if given else self._built()
        if not program.is_file():
            raise FileNotFoundError(f"the program is not there: {program}")
        platform = os.environ.get("WIRECANON_PLATFORM") or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["shared_scripts"] = {str(program.resolve()): f"wirecanon{SUFFIX}"}
        licences = {str(path): path.name for path in self._top().glob("LICENSE-*")}
        build_data["extra_metadata"] = licences

    def _built(self) -> pathlib.Path:
        top = self._top()
        subprocess.run(["cargo", "build", "--locked", "--release", "--bin", "wirecanon"], cwd=top, check=True)
        return pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or top / "target") / "release" / f"wirecanon{SUFFIX}"

    def _top(self) -> pathlib.Path:
        return pathlib.Path(self.root).parents[2]
