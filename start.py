"""Set up Pithead in .venv beside this file, then start it or pass its tests.

python3 start.py                 open a table:  pithead play
python3 start.py --camera demo   ... with options of `pithead play`
python3 start.py print --help    any other command of pithead
python3 start.py test            pass the tests (arguments go to pytest)

On Windows type `py start.py`. Python 3.11 or newer; the first run needs the internet, later ones do not.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP = VENV / "pithead-set-up.txt"
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
PITHEAD = SCRIPTS / ("pithead.exe" if os.name == "nt" else "pithead")

# Purpose -> (what has to load, Debian's packages with the libraries for it that a bare Debian lacks).
PARTS = {
    "play": (["-c", "import cv2"], ["libgl1", "libglib2.0-0"]),
    "test": (["-m", "playwright", "--version"], ["libatomic1"]),
}
CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"]
CHROMIUM_ON_MACOS = ["Google Chrome", "Chromium", "Microsoft Edge"]
CHROMIUM_ON_WINDOWS = [r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe"]


class Trouble(Exception):
    """What stands in the way, in one line a person can act on."""


def main(arguments: list[str]) -> int:
    """Set up what the arguments need, hand over to it and return its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file also meets older Pythons: it has to tell)
        raise Trouble(f"Pithead needs Python 3.11 or newer; this is {platform.python_version()}.")
    if arguments[:1] == ["test"]:
        set_up("test")
        os.environ["PITHEAD_CHROMIUM"] = chromium()
        os.chdir(ROOT)
        return hand_over([PYTHON, "-m", "pytest", *(arguments[1:] or side_by_side())])
    if arguments[:1] in (["--help"], ["-h"]):
        say((__doc__ or "") + "\nThe options of `pithead play`:\n")
    set_up("play")
    return hand_over([PITHEAD, *with_command(arguments)])


def side_by_side() -> list[str]:
    """Options of pytest for the whole run: a file of tests to each core, so that it takes half the time."""
    return ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile"]


def with_command(arguments: list[str]) -> list[str]:
    """The arguments for pithead: `play` in front, unless they begin with a command of their own."""
    return arguments if arguments and not arguments[0].startswith("-") else ["play", *arguments]


def set_up(purpose: str) -> None:
    """Make the virtual environment and install the project in it, where pyproject.toml changed since.

    `purpose` is "play" or "test"; what serves the tests serves play too. Touches no network when current.
    """
    stamp = STAMP.read_text().split() if STAMP.exists() and PYTHON.exists() else []
    if stamp[:1] == [fingerprint()] and purpose in stamp:
        return
    say("Setting up Pithead in .venv (once; a minute or two) ...")
    make_venv()
    what = f"{ROOT}[test]" if purpose == "test" else str(ROOT)
    done = run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", what])
    if done.returncode != 0:
        raise Trouble(f"pip could not install Pithead. Is this computer online? {last_line(done)}")
    purposes = list(PARTS) if purpose == "test" else ["play"]
    for each in purposes:
        check_libraries(*PARTS[each])
    STAMP.write_text(" ".join([fingerprint(), *purposes]) + "\n")


def fingerprint() -> str:
    """What a set-up depends on: pyproject.toml, where the folder lies and which Python runs."""
    about = f"{ROOT} {sys.version_info[:2]} ".encode()
    return hashlib.sha256(about + (ROOT / "pyproject.toml").read_bytes()).hexdigest()


def make_venv() -> None:
    """Make .venv, unless it is there and its pip works."""
    if PYTHON.exists() and run([PYTHON, "-m", "pip", "--version"]).returncode == 0:
        return
    if importlib.util.find_spec("ensurepip") is None:
        # Debian and Ubuntu keep this part of Python's own library in a package apart.
        apt_install(["python{}.{}-venv".format(*sys.version_info)], "Part of Python's venv is missing")
    made = run([sys.executable, "-m", "venv", "--clear", VENV])
    if made.returncode != 0:
        raise Trouble(f"Could not make {VENV}: {last_line(made)}")


def check_libraries(part: list[str], packages: list[str]) -> None:
    """Load a part of the set-up once; where system libraries are missing, install Debian's packages."""
    loaded = run([PYTHON, *part])
    if loaded.returncode != 0 and "shared object file" in loaded.stdout:
        apt_install(packages, "System libraries are missing")
        loaded = run([PYTHON, *part])
    if loaded.returncode != 0:
        raise Trouble(f"`python {' '.join(part)}` fails in .venv: {last_line(loaded)}")


def chromium() -> str:
    """Path of the Chromium that the tests drive: one that is there, or else one installed now."""
    if found := find_chromium() or playwright_chromium():
        return found
    if shutil.which("apt-get") and platform.freedesktop_os_release().get("ID") == "debian":
        apt_install(["chromium"], "The tests need the browser Chromium")
    else:
        say("The tests need the browser Chromium: playwright downloads it ...")
        libraries = ["--with-deps"] if shutil.which("apt-get") else []  # known to playwright by apt's names
        subprocess.run([PYTHON, "-m", "playwright", "install", *libraries, "chromium"], check=False)
    if found := find_chromium() or playwright_chromium():
        return found
    raise Trouble("No Chromium to test with: install it, or name one in the variable PITHEAD_CHROMIUM.")


def find_chromium() -> str | None:
    """Path of a Chromium, Chrome or Edge of this computer."""
    if named := os.environ.get("PITHEAD_CHROMIUM"):
        if not shutil.which(named):
            raise Trouble(f"PITHEAD_CHROMIUM names no program: {named}")
        return named
    folders = [os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
    on_windows = [str(Path(folder, tail)) for folder in folders if folder for tail in CHROMIUM_ON_WINDOWS]
    on_macos = [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in CHROMIUM_ON_MACOS]
    candidates = CHROMIUM_NAMES + on_macos + on_windows
    return next((path for path in map(shutil.which, candidates) if path), None)


def playwright_chromium() -> str | None:
    """Path of the Chromium that playwright downloaded earlier."""
    ask = "from playwright.sync_api import sync_playwright as play; p = play().start(); "
    path = last_line(run([PYTHON, "-c", ask + "print(p.chromium.executable_path); p.stop()"]))
    return path if Path(path).is_file() else None


def apt_install(packages: list[str], reason: str) -> None:
    """Install Debian packages as root or through sudo; else say what to type."""
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    by_hand = f"{reason}. Type as root: {' '.join(command)}"
    if not shutil.which("apt-get"):
        raise Trouble(f"{reason}: install what this system calls {', '.join(packages)}.")
    if os.geteuid() != 0 and not shutil.which("sudo"):
        raise Trouble(by_hand)
    say(f"{reason}: installing {', '.join(packages)} with apt-get ...")
    apt = [*([] if os.geteuid() == 0 else ["sudo"]), "env", "DEBIAN_FRONTEND=noninteractive"]
    if run([*apt, *command]).returncode == 0:
        return
    run([*apt, "apt-get", "update"])  # the lists of packages were missing or old
    again = run([*apt, *command])
    if again.returncode != 0:
        raise Trouble(f"{by_hand} (it failed here: {last_line(again)})")


def run(command: list[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, its output and errors kept as one text."""
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )


def hand_over(command: list[str | Path]) -> int:
    """Let the command take this process's place; where that cannot be (Windows), wait for it."""
    if os.name != "nt":
        os.execv(command[0], [str(word) for word in command])
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the command hears Ctrl+C itself and ends in its own time


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The last error that a command printed, or else its last line: mostly what went wrong."""
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return ([line for line in lines if "ERROR:" in line] or lines or [""])[-1]


def say(text: str) -> None:
    """Tell the person at the terminal, before anything that follows prints."""
    print(text, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Trouble, OSError) as trouble:
        sys.exit(f"start.py: {trouble}")
    except KeyboardInterrupt:
        sys.exit(130)
