"""The snippets of the documents run as they are printed, and what is missing is named."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent.parent


@pytest.mark.parametrize("page", ["docs/python.md", "docs/tensors.md", "crates/python/README.md"])
def test_snippets_run_as_printed(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (REPOSITORY / page).read_text()
    snippets = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert snippets
    names: dict[str, object] = {}
    for number, snippet in enumerate(snippets, 1):
        exec(compile(snippet, f"{page}, snippet {number}", "exec"), names)


@pytest.mark.parametrize(
    "missing, extra, use",
    [
        ("gymnasium", "pettingzoo", "bastide.aec"),
        ("pettingzoo", "pettingzoo", "bastide.aec"),
        ("gymnasium", "gymnasium", "import bastide.carcassonne_env"),
        ("pyspiel", "open_spiel", "bastide.spiel"),
        ("pygame", "human", "from bastide import tinytown_env as t; t.TinytownEnv(render_mode='human')"),
        ("gymnasium", "gymnasium", "import bastide.tinytown_env"),
        ("scipy", "graph", "bastide.TinytownGraph('2x2').get_adjacency_matrix()"),
        ("networkx", "graph", "bastide.TinytownGraph('2x2').to_networkx()"),
        ("igraph", "graph", "bastide.TinytownGraph('2x2').to_igraph()"),
        ("rustworkx", "graph", "bastide.TinytownGraph('2x2').to_rustworkx()"),
    ],
)
def test_a_missing_package_is_named_with_what_to_install(missing: str, extra: str, use: str) -> None:
    # A module that is None in the table is one that cannot be imported.
    code = f"import sys; sys.modules[{missing!r}] = None; import bastide; {use}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    name = {"pyspiel": "open_spiel"}.get(missing, missing)
    wanted = f'this needs {name}: pip install "bastide[{extra}]" or pip install {name}'
    assert last == f"ModuleNotFoundError: {wanted}"


def test_nothing_but_numpy_is_needed() -> None:
    others = ["pygame", "pyspiel", "gymnasium", "pettingzoo", "scipy", "networkx", "igraph", "rustworkx"]
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({others!r})); import bastide;"
        "batch = bastide.CarcassonneBatch(2); batch.reset(seed=1); batch.step(batch.sample_actions());"
        "print(bastide.TinytownGraph('2x2').values()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
