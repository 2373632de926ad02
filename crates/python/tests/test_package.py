"""The package itself: versions, types, documents."""

import re
import subprocess
import sys
from pathlib import Path

import bastide

HERE = Path(__file__).resolve().parent
CRATE = HERE.parent
REPOSITORY = CRATE.parent.parent


def test_everything_exported_is_there_and_documented() -> None:
    for name in bastide.__all__:
        thing = getattr(bastide, name)
        if callable(thing):
            assert thing.__doc__, f"{name} has no documentation"
    assert bastide.CARCASSONNE_TENSOR_VERSION == bastide.layout()["version"]


def test_the_stubs_are_what_the_module_is() -> None:
    config = str(CRATE / "pyproject.toml")
    command = ["-m", "mypy.stubtest", "--mypy-config-file", config, "bastide._native"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed() -> None:
    config = str(CRATE / "pyproject.toml")
    command = [sys.executable, "-m", "mypy", "--config-file", config, "--no-incremental"]
    done = subprocess.run([*command, "-p", "bastide"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_documents_name_the_sizes_of_the_code() -> None:
    text = (REPOSITORY / "docs" / "tensors.md").read_text()
    layout = bastide.layout("standard")
    assert f"version {layout['version']}" in text
    assert f"{layout['compact']} numbers" in text
    assert f"{layout['actions']:,} actions" in text
    rows = re.findall(r"^\| (\d+) \| (.*?) \|$", text, re.MULTILINE)
    named = {int(number): name for number, name in rows}
    for number, name in enumerate(layout["planes"]):
        assert named.get(number) == name, f"plane {number} is {name}"
