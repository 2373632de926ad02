"""The client of the engine's service in Python, and the Python of its document, with the real program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("BASTIDE", ROOT / "target" / "debug" / "bastide"))


@pytest.fixture
def server() -> Iterator[str]:
    """The address of `bastide grpc` on a port of its own."""
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built; make test builds it first")
    command = [str(PROGRAM), "grpc", "--listen", "127.0.0.1:0", "--log", "warn"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        greeting = service.stdout.readline().strip()
        assert greeting.startswith("gRPC is ready: "), greeting
        yield greeting.removeprefix("gRPC is ready: ")
        service.terminate()
        assert service.wait(timeout=60) == 0


def client(server: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / "grpc_client.py"), server, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("game, setup", [("carcassonne", "players=3 board=5x5"), ("tinytown", "3x3")])
def test_the_client_plays_a_game(server: str, game: str, setup: str) -> None:
    done = client(server, "--game", game, "--setup", setup)
    assert done.returncode == 0, done.stderr
    assert re.search(rf"{game} is over after \d+ moves: -?\d+", done.stdout), done.stdout


def test_the_client_says_what_is_wrong(server: str) -> None:
    refused = client(server, "--game", "chess")
    assert refused.returncode == 1 and "there are carcassonne, tinytown" in refused.stderr
    nobody = client("127.0.0.1:1")
    assert nobody.returncode == 1 and "UNAVAILABLE" in nobody.stderr


def test_the_python_of_the_document_runs(server: str) -> None:
    text = (ROOT / "docs" / "grpc.md").read_text()
    parts = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(parts) >= 5
    begin = f"import sys\nsys.path.insert(0, {str(ROOT / 'crates' / 'grpc' / 'proto' / 'bastide')!r})\nserver = {server!r}\n"
    done = subprocess.run([sys.executable, "-c", begin + "\n".join(parts)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
