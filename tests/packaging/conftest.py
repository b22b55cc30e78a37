"""The wheel, built once from a copy of the tree, so that building leaves nothing beside the source."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree without what .gitignore names."""
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().split()]
    copy = tmp_path_factory.mktemp("packaging") / "source"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", *ignored))
    return copy


@pytest.fixture(scope="session")
def wheel(source: Path) -> Path:
    """The wheel of the copy, built without an index: what building needs comes with the test extra."""
    out = source.parent / "wheel"
    # The copy's own copy: setuptools writes build/ and egg-info beside the source that it builds.
    build = shutil.copytree(source, source.parent / "build")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*pip, *offline, "--wheel-dir", out, build], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("pithead-*.whl")
    return built
