"""What an installation says of itself."""

from __future__ import annotations

import platform
from importlib.metadata import version

import thresher as th
from thresher._core import config as module
from thresher._core.config import config


def test_versions_are_those_installed(monkeypatch):
    found = config()
    assert found["python"] == platform.python_version()
    for name in ("numpy", "scipy", "narwhals"):
        assert found[name] == version(name)
    monkeypatch.setattr(module, "_PACKAGES", ("no-such-package",))
    assert config()["no-such-package"] == "not installed"


def test_kernels(monkeypatch):
    monkeypatch.setattr(module.native, "available", lambda: False)
    found = config()
    assert (found["native"], found["kernels"], found["threads"]) == (False, "NumPy (no compiler when installed)", 1)
    monkeypatch.setattr(module.native, "available", lambda: True)
    monkeypatch.setattr(module.native, "instruction_set", lambda: "avx2")
    monkeypatch.setattr(module, "thread_count", lambda: 5)
    found = config()
    assert (found["native"], found["kernels"], found["threads"]) == (True, "compiled (avx2)", 5)


def test_one_line_a_fact(capsys):
    th.config.show_config()
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{name}: {value}" for name, value in config().items()]
