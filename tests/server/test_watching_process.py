"""The process that watches: started, started again, ended, and never left behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion import camera_process
from companion.camera_desk import CameraState
from companion.camera_process import WATCH_VARIABLE, CameraProcess, watch_command, watch_from
from companion.cli import parser
from companion.deck_choice import PRINTED, UNKNOWN
from companion.server.running import Running
from tests.server.house import House, sight
from vision.post import HttpPost

# Does what `pithead watch` does as seen from outside: says that it lives, and ends with its parent.
STAYS = """
import os, pathlib, sys
pathlib.Path(sys.argv[1]).joinpath(f"{os.getpid()}-{sys.argv[2]}").write_text(os.environ["PITHEAD_CAMERA_TOKEN"])
sys.stdin.buffer.read()
"""
DIES = STAYS.replace("sys.stdin.buffer.read()", "sys.exit(3)")
ENDS = STAYS.replace("sys.stdin.buffer.read()", "")
NUMBERED = STAYS.replace('f"{os.getpid()}-{sys.argv[2]}"', 'os.environ["PITHEAD_CAMERA_WATCH"]')
DEAF = STAYS.replace("sys.stdin.buffer.read()", "import time; time.sleep(60)")


@contextmanager
def watching(house: House, folder: Path, program: str) -> Iterator[CameraProcess]:
    folder.mkdir()
    process = CameraProcess(
        house.services.tables,
        house.services.camera_token,
        lambda source, code, deck: [sys.executable, "-c", program, str(folder), source, deck],
    )
    try:
        yield process
    finally:
        process.stop()


def wait(until: Callable[[], object], seconds: float = 8.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def started(folder: Path) -> dict[str, int]:
    """The sources watched so far, with the last process of each."""
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)
    return {file.name.partition("-")[2]: int(file.name.partition("-")[0]) for file in files}


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_process, "STEP_S", 0.02)
    monkeypatch.setattr(camera_process, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(camera_process, "ENDS_S", 0.5)


def test_a_chosen_source_is_watched_with_the_token_out_of_sight(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", STAYS) as process:
        process.choose(house.code, "0")
        assert house.table.present().camera.state is CameraState.STARTING
        wait(lambda: started(tmp_path / "seen"))
        (file,) = (tmp_path / "seen").iterdir()
        wait(file.read_text)
        assert file.read_text() == house.services.camera_token
        child = started(tmp_path / "seen")["0"]
        assert lives(child)
    wait(lambda: not lives(child))


def test_another_choice_ends_the_first_watcher(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", STAYS) as process:
        process.choose(house.code, "0")
        wait(lambda: started(tmp_path / "seen"))
        first = started(tmp_path / "seen")["0"]
        process.choose(house.code, "1")
        wait(lambda: "1" in started(tmp_path / "seen"))
        assert not lives(first)
        process.choose(house.code, "off")
        wait(lambda: not lives(started(tmp_path / "seen")["1"]))
        assert house.table.present().camera.state is CameraState.OFF


def test_a_watcher_that_dies_is_started_again_and_the_screens_say_so(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", DIES) as process:
        process.choose(house.code, "0")
        wait(lambda: len(list((tmp_path / "seen").iterdir())) >= 3)
        camera = house.table.present().camera
        assert camera.state is CameraState.LOST
        assert [cause["code"] for cause in camera.trouble] == ["camera_stopped"]


def test_what_the_watcher_told_before_it_died_is_kept(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", DIES) as process:
        process.choose(house.code, "9")
        house.tell("no_camera", house.table.present().camera.watch, camera=9)
        wait(lambda: len(list((tmp_path / "seen").iterdir())) >= 2)
        (cause,) = house.table.present().camera.trouble
        assert cause == {"code": "no_camera", "params": {"camera": 9}}


def test_a_film_that_ends_is_not_started_again(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", ENDS) as process:
        process.choose(house.code, "film.mp4")
        wait(lambda: house.table.present().camera.state is CameraState.OFF)
        time.sleep(0.3)
        assert len(list((tmp_path / "seen").iterdir())) == 1
        process.choose(house.code, "film.mp4")
        wait(lambda: len(list((tmp_path / "seen").iterdir())) == 2)


def test_a_watcher_that_does_not_listen_is_ended_all_the_same(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", DEAF) as process:
        process.choose(house.code, "0")
        wait(lambda: started(tmp_path / "seen"))
        child = started(tmp_path / "seen")["0"]
        process.choose(house.code, "off")
        wait(lambda: not lives(child))


def test_a_watcher_that_hangs_is_started_again(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_process, "HUNG_S", 0.3)
    monkeypatch.setattr(camera_process, "STARTS_WITHIN_S", 0.3)
    with watching(house, tmp_path / "seen", STAYS) as process:
        process.choose(house.code, "0")
        wait(lambda: len(list((tmp_path / "seen").iterdir())) >= 2)


def test_a_program_that_is_not_there_is_told(house: House, tmp_path: Path) -> None:
    process = CameraProcess(
        house.services.tables, "token", lambda source, code, deck: [str(tmp_path / "none")]
    )
    process.choose(house.code, "0")
    wait(lambda: house.table.present().camera.state is CameraState.LOST)
    process.stop()


def test_webcams_are_looked_for_without_waiting(house: House) -> None:
    process = CameraProcess(house.services.tables, "token", lambda *_: [], find=lambda: (0, 2))
    assert process.found() == []
    wait(lambda: process.found() == ["0", "2"])
    process.stop()


def test_the_webcams_are_looked_for_again_after_a_driver_failed(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(camera_process, "CAMERAS_FOUND_S", 0.05)
    asked: list[int] = []

    def find() -> tuple[int, ...]:
        asked.append(len(asked))
        if len(asked) == 1:
            raise RuntimeError("driver")
        return (0,)

    process = CameraProcess(house.services.tables, "token", lambda *_: [], find=find)
    wait(lambda: process.found() == ["0"])
    process.stop()
    assert "webcams could not be looked for" in caplog.text


def test_after_a_thousand_failures_it_is_still_tried(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", DIES) as process:
        process.choose(house.code, "0")
        process._failures = 5000
        wait(lambda: len(started(tmp_path / "seen")) == 1)
        wait(lambda: process._failures == 5001)
        assert process._not_before - time.monotonic() <= camera_process.LONGEST_WAIT_S
        process.choose(house.code, "1")
        wait(lambda: "1" in started(tmp_path / "seen"))


def test_an_error_in_attending_does_not_end_it(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("the log is locked")

    with watching(house, tmp_path / "seen", STAYS) as process:
        monkeypatch.setattr(house.services.tables, "cameras_waited", broken)
        wait(lambda: "the log is locked" in caplog.text)
        monkeypatch.undo()
        process.choose(house.code, "0")
        wait(lambda: started(tmp_path / "seen"))


def test_a_source_that_no_command_line_can_hold_is_told(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", STAYS) as process:
        process.choose(house.code, "a\0b")
        wait(lambda: house.table.present().camera.state is CameraState.LOST)


def test_the_end_of_an_earlier_watcher_is_no_news_of_the_present_one(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", STAYS) as process:
        process.choose(house.code, "0")
        wait(lambda: started(tmp_path / "seen"))
        left = process._watched
        house.table.camera_chosen("1", "another")
        process._failed(time.monotonic())
        house.table.camera_finished(left.watch)
        assert house.table.present().camera.state is CameraState.STARTING
        process.choose(house.code, "2")
        process._failed(time.monotonic())
        assert (process._failures, process._not_before) == (0, 0.0)


def test_every_choice_has_a_number_of_its_own_and_off_has_none(house: House, tmp_path: Path) -> None:
    with watching(house, tmp_path / "seen", NUMBERED) as process:
        numbers = []
        for source in ("0", "1", "0"):
            process.choose(house.code, source)
            numbers.append(house.table.present().camera.watch)
            wait(lambda: (tmp_path / "seen" / str(numbers[-1])).exists())
        assert len(set(numbers)) == 3
        process.choose(house.code, "off")
        assert house.table.present().camera.watch is None


def test_a_watcher_that_was_left_ends_by_itself(house: House) -> None:
    house.table.camera_chosen("demo", "first")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Running(house.app, port, "127.0.0.1")
    ended = threading.Event()
    post = HttpPost(f"http://127.0.0.1:{port}", house.code, house.services.camera_token, "first", ended.set)
    try:
        post.sight(sight())
        wait(lambda: house.table.present().camera.state is CameraState.WATCHING)
        assert not ended.is_set()
        house.table.camera_chosen("0", "second")
        post.sight(sight(((1, 0), "EW")))
        assert ended.wait(5)
        assert house.table.present().camera.state is CameraState.STARTING
    finally:
        post.close()
        running.stop()


def test_a_watch_knows_its_number_from_who_started_it() -> None:
    assert watch_from({WATCH_VARIABLE: "first"}) == "first"
    assert watch_from({WATCH_VARIABLE: ""}) is watch_from({}) is None


def test_the_real_command_names_table_and_server_and_keeps_the_token_to_itself(tmp_path: Path) -> None:
    command = watch_command("http://127.0.0.1:8080", tmp_path)
    line = command("-0", "K7QX", PRINTED)
    options = parser().parse_args(line[3:])
    assert (options.server, options.table, options.source) == ("http://127.0.0.1:8080", "K7QX", "-0")
    assert options.end_with_parent and options.data == tmp_path
    decks = [parser().parse_args(command("0", "K7QX", deck)[3:]) for deck in (PRINTED, UNKNOWN, "Ours")]
    assert [options.deck for options in decks] == [None, None, Path("Ours")]
    assert [options.tunnels for options in decks] == [False, True, False]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a POSIX signal")
def test_the_watcher_ends_when_its_parent_is_killed() -> None:
    # A camera driver that hangs: the main thread never looks at `stop`.
    watcher = """
import threading, time
from companion.commands import watch
watch.GRACE_S = 0.2
threading.Thread(target=watch._end_with_parent, args=(threading.Event(),), daemon=True).start()
print("ready", flush=True)
time.sleep(60)
"""
    server = f"""
import subprocess, sys, time
line = [sys.executable, "-c", {watcher!r}]
child = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", server], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert lives(child)
        process.send_signal(signal.SIGKILL)
    wait(lambda: not lives(child))
