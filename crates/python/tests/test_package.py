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
    page = section(text, "Version 1: planes")
    rows = re.findall(r"^\| (\d+) \| (.*?) \|$", page, re.MULTILINE)
    named = {int(number): name for number, name in rows}
    for number, name in enumerate(layout["planes"]):
        assert named.get(number) == name, f"plane {number} is {name}"


def test_the_documents_name_the_sizes_of_version_2() -> None:
    text = (REPOSITORY / "docs" / "tensors.md").read_text()
    for setup in ("standard", "all-sets"):
        layout = bastide.layout(setup, "v2")
        names, side = layout["planes"], layout["board_size"]
        for size in ("actions", "globals", "compact"):
            assert f"{layout[size]:,} {size}" in text
        assert f"{len(names)} planes ({len(names) * side**2:,} bytes" in text
    assert list(bastide.CARCASSONNE_TENSOR_VERSIONS) == re.findall(r"^\| `tensors=\"(v\d)\"`", text, re.MULTILINE)
    for name, setup in bastide.CARCASSONNE_SETUPS.items():
        assert f"| `{name}` | `{setup}` |" in text
    rows = re.findall(r"^\| (\d+)(?: … (\d+))? \| (.*?) \|$", section(text, "Version 2: planes"), re.MULTILINE)
    planes = [(int(first), int(last or first), what) for first, last, what in rows]
    assert [first for first, _, _ in planes] == [0, *(last + 1 for _, last, _ in planes[:-1])]
    assert planes[-1][1] == len(names) - 1
    for first, last, what in planes:
        for word in ("river", "garden", "inn", "cloth", "abbot", "fits", "placed"):
            named = any(re.search(rf"\b{word}\b", name) for name in names[first : last + 1])
            assert named or not re.search(rf"\b{word}\b", what), (word, first)
        if what.startswith("facts of"):
            assert names[first].startswith("meeples of relative seat 0 on the ")
            assert names[first].split(" on the ")[1].split()[0] in what


def section(text: str, heading: str) -> str:
    """What stands under a heading."""
    return text.split(f"## {heading}\n")[1].split("\n## ")[0]
