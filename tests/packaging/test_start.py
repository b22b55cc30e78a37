"""start.py sets up only when it has to, passes its arguments on, and fails in one line."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDS_THE_INTERNET = '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "mine"\nversion = "1"\n'


@pytest.fixture
def start(tmp_path: Path) -> ModuleType:
    """start.py in a folder of its own, beside a project that is not set up yet."""
    (tmp_path / "pyproject.toml").write_text(NEEDS_THE_INTERNET)
    copy = tmp_path / "start.py"
    copy.write_bytes((ROOT / "start.py").read_bytes())
    spec = importlib.util.spec_from_file_location("start_of_a_copy", copy)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pretend_set_up(start: ModuleType, purposes: str) -> None:
    """Leave the stamp of a set-up and a Python that cannot run: whoever set up again would fail."""
    start.SCRIPTS.mkdir(parents=True)
    start.PYTHON.touch()
    start.STAMP.write_text(f"{start.fingerprint()} {purposes}")


def test_options_go_to_play_and_a_word_in_front_is_a_command(start: ModuleType) -> None:
    assert start.with_command([]) == ["play"]
    assert start.with_command(["--camera", "demo"]) == ["play", "--camera", "demo"]
    assert start.with_command(["print", "deck.pdf"]) == ["print", "deck.pdf"]


@pytest.mark.parametrize(
    ("purposes", "purpose"), [("play", "play"), ("play test", "play"), ("play test", "test")]
)
def test_a_current_set_up_is_left_alone(start: ModuleType, purposes: str, purpose: str) -> None:
    pretend_set_up(start, purposes)
    start.set_up(purpose)


def test_the_tests_need_more_than_play(start: ModuleType) -> None:
    pretend_set_up(start, "play")
    with pytest.raises(OSError, match=r"python|WinError"):
        start.set_up("test")


def test_a_changed_pyproject_is_set_up_again(start: ModuleType) -> None:
    pretend_set_up(start, "play test")
    with (start.ROOT / "pyproject.toml").open("a") as pyproject:
        pyproject.write('dependencies = ["numpy"]\n')
    with pytest.raises(OSError, match=r"python|WinError"):
        start.set_up("play")


def test_failing_is_one_line_and_a_code(start: ModuleType) -> None:
    offline = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
    done = subprocess.run(
        [sys.executable, start.ROOT / "start.py"], cwd=start.ROOT, env=offline, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("start.py: pip could not install Pithead. Is this computer online? ")
    assert done.stderr.count("\n") == 1
    assert not start.STAMP.exists()


def test_a_browser_named_by_hand_is_taken(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITHEAD_CHROMIUM", sys.executable)
    assert start.find_chromium() == sys.executable
    monkeypatch.setenv("PITHEAD_CHROMIUM", str(start.ROOT / "no-browser"))
    with pytest.raises(start.Trouble, match="names no program"):
        start.find_chromium()
