"""What is asked of packages that need not be installed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


# Packages that are installed by another name than they are imported by.
_INSTALLED_AS = {"pyspiel": "open_spiel"}


def needed(package: str, extra: str) -> ModuleType:
    """The package, or an error that says what to install.

    ``extra`` is the name under which bastide lists it: ``pip install "bastide[EXTRA]"``.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name is None or not package.startswith(error.name):
            raise
        name = package.partition(".")[0]
        name = _INSTALLED_AS.get(name, name)
        told = f'this needs {name}: pip install "bastide[{extra}]" or pip install {name}'
        raise ModuleNotFoundError(told, name=name) from None
