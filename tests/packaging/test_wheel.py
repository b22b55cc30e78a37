"""The wheel holds the whole program, nothing else, and runs by itself in a fresh environment."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PACKAGES = ("companion", "vision", "printables", "web")
FOR_BUILDERS = {"web/babel.cfg"} | {
    f"web/pictures/{name}" for name in ("camera.jpg", "phone.png", "table.png")
}
"""What translators and readers of the README need and the program does not."""


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment in which the wheel is installed.

    What Pithead depends on is borrowed from the environment of the tests, so nothing is downloaded.
    """
    place = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(place)]
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    paths = sysconfig.get_paths(vars={"base": str(place), "platbase": str(place)})
    borrowed = Path(paths["purelib"], "borrowed.pth")
    borrowed.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return programs


def run(*command: str | Path, cwd: Path) -> str:
    """What the command prints, run outside the source tree; fails when the command does."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_holds_every_file_of_the_packages(source: Path, wheel: Path) -> None:
    ours = {
        path.relative_to(source).as_posix()
        for package in PACKAGES
        for path in (source / package).rglob("*")
        if path.is_file()
    }
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == ours - FOR_BUILDERS


def test_states_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (licence,) = (name for name in archive.namelist() if name.endswith("/licenses/LICENSE"))
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        assert "the Pithead authors" in archive.read(licence).decode()
        assert "License-Expression: MIT" in archive.read(metadata).decode()


def test_runs_by_itself(fresh: Path, tmp_path: Path) -> None:
    assert "pithead" in run(fresh / "pithead", "--help", cwd=tmp_path)
    where = run(
        fresh / "python", "-c", "import companion, web; print(companion.__file__, web.__file__)", cwd=tmp_path
    )
    assert all(str(fresh.parent) in path for path in where.split())


def test_every_module_loads(source: Path, fresh: Path, tmp_path: Path) -> None:
    """Every import of every module is met, so no dependency hangs on the folder of the source."""
    names = [
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for package in PACKAGES
        for path in sorted((source / package).rglob("*.py"))
        if path.name != "__main__.py"
    ]
    run(fresh / "python", "-c", f"import {', '.join(names)}", cwd=tmp_path)
