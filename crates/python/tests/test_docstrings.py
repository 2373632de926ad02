"""Everything that users can name says what it is."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import bastide
import pytest

# Those that need a library of their own, or that say what other libraries ask for.
SKIPPED = {"bastide.spiel"}
# The names that libraries fix, whose meaning is theirs.
FIXED = {"metadata", "render_mode", "spec"}


def modules() -> list[ModuleType]:
    found = [bastide]
    for info in pkgutil.walk_packages(bastide.__path__, "bastide.", onerror=lambda _: None):
        if info.name not in SKIPPED:
            found.append(importlib.import_module(info.name))
    return found


def undocumented(module: ModuleType) -> list[str]:
    found = [] if module.__doc__ or module.__name__ == "bastide._native" else [module.__name__]
    for name, value in vars(module).items():
        own = getattr(value, "__module__", "") or ""
        if name.startswith("_") or not own.startswith("bastide"):
            continue
        if inspect.isroutine(value) and not value.__doc__:
            found.append(f"{module.__name__}.{name}")
        if inspect.isclass(value):
            found += [] if value.__doc__ else [f"{module.__name__}.{name}"]
            for member, entry in vars(value).items():
                public = not member.startswith("_") and member not in FIXED
                entry = getattr(entry, "__func__", entry)
                described = inspect.isroutine(entry) or inspect.isdatadescriptor(entry)
                if public and described and not entry.__doc__:
                    found.append(f"{module.__name__}.{name}.{member}")
    return found


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_everything_public_has_a_docstring(module: ModuleType) -> None:
    assert undocumented(module) == []
