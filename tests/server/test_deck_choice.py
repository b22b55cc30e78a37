"""The deck the camera reads: chosen on the host's page, read at once, remembered for the next evening."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion import camera_process
from companion.camera_process import CameraProcess
from companion.commands.deck_option import folder_of
from companion.deck_choice import PRINTED, UNKNOWN, choice_of, chosen_folder, remembered
from companion.own_decks import DECK, named_folder
from companion.server import create_app
from tests.server.house import House, Screen
from tests.server.test_watching_process import STAYS, lives, started, wait

FORM = {"content_type": "application/x-www-form-urlencoded"}


def keep(data: Path, name: str) -> Path:
    """A deck that is ready, as far as its name goes."""
    folder = named_folder(data, name)
    folder.mkdir(parents=True)
    (folder / DECK).write_text("{}")
    return folder


@pytest.fixture
def process(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CameraProcess]:
    """The process that watches for the house's table: it notes the deck it was told to read."""
    monkeypatch.setattr(camera_process, "STEP_S", 0.02)
    (tmp_path / "seen").mkdir()
    process = CameraProcess(
        house.services.tables,
        house.services.camera_token,
        lambda source, code, deck: [sys.executable, "-c", STAYS, str(tmp_path / "seen"), deck or "printed"],
        remember=house.folder.remember_deck,
    )
    house.services = replace(house.services, cameras=process)
    house.app = create_app(house.services)
    yield process
    process.stop()


def decks(host: Screen) -> tuple[str, list[str]]:
    view = host.get(f"/t/{host.code}/camera/view").json
    return view["deck"], view["decks"]


def test_a_deck_that_is_chosen_is_read_by_the_camera_that_watches(
    house: House, process: CameraProcess, tmp_path: Path
) -> None:
    keep(house.services.data, "Attic")
    host, seen = house.host(), tmp_path / "seen"
    assert decks(host) == (PRINTED, [PRINTED, "Attic", UNKNOWN])
    process.choose(house.code, "0")
    wait(lambda: "printed" in started(seen))
    answer = host.post(f"/t/{house.code}/camera/deck", {"deck": "Attic"})
    assert (answer.status_code, answer.json["deck"]) == (200, "Attic")
    wait(lambda: "Attic" in started(seen))
    assert not lives(started(seen)["printed"])
    assert house.table.present().camera.source == "0"
    host.post(f"/t/{house.code}/camera/deck", {"deck": UNKNOWN})
    wait(lambda: UNKNOWN in started(seen))


def test_a_choice_made_before_any_camera_holds_for_the_next_one(
    house: House, process: CameraProcess, tmp_path: Path
) -> None:
    keep(house.services.data, "Attic")
    answer = house.host().browser.post("/decks/of/Attic/use", **FORM)
    assert (answer.status_code, answer.location) == (303, f"/t/{house.code}/camera")
    assert not list((tmp_path / "seen").iterdir())
    process.choose(house.code, "0")
    wait(lambda: "Attic" in started(tmp_path / "seen"))


def test_another_deck_is_read_from_where_the_host_pointed_the_board_out(
    house: House, process: CameraProcess, tmp_path: Path
) -> None:
    keep(house.services.data, "Attic")
    process.choose(house.code, "photo")
    wait(lambda: "printed" in started(tmp_path / "seen"))
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    house.table.camera_pointed(corners)
    house.table.photographed(b"photo")
    process.read_deck("Attic")
    wait(lambda: "Attic" in started(tmp_path / "seen"))
    camera = house.table.present().camera
    assert (camera.pointed, camera.photo) == (corners, b"photo")
    before = camera.watch
    process.read_deck("Attic")  # already so: nothing is started anew
    assert house.table.present().camera.watch == before
    process.choose(house.code, "0")
    camera = house.table.present().camera
    assert (camera.pointed, camera.photo) == (None, b"")


def test_a_choice_that_cannot_be_remembered_is_read_all_the_same(
    house: House, process: CameraProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(deck: str) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(process, "_remember", full)
    process.read_deck(UNKNOWN)
    assert process.deck == UNKNOWN


def test_the_choice_is_remembered_as_long_as_the_deck_is_there(house: House, process: CameraProcess) -> None:
    assert remembered(house.folder) == PRINTED
    deck = keep(house.services.data, "Attic")
    for chosen in ("Attic", UNKNOWN, PRINTED, "Attic"):
        process.read_deck(chosen)
        assert remembered(house.folder) == chosen
    (deck / DECK).unlink()
    assert remembered(house.folder) == PRINTED


@pytest.mark.parametrize("deck", ["Cellar", "../Attic", "", 7, None, ["Attic"]])
def test_only_a_deck_that_is_listed_can_be_chosen(house: House, process: CameraProcess, deck: object) -> None:
    process.read_deck("/mnt/a folder named on the command line")
    if deck == "":  # the printed deck is always there
        assert house.host().post(f"/t/{house.code}/camera/deck", {"deck": deck}).status_code == 200
        return
    answer = house.host().post(f"/t/{house.code}/camera/deck", {"deck": deck})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_field")
    assert process.deck == "/mnt/a folder named on the command line"


def test_a_deck_that_is_not_ready_or_not_there_cannot_be_used(house: House, process: CameraProcess) -> None:
    for name in ("Attic", "..", "none"):
        assert house.host().browser.post(f"/decks/of/{name}/use", **FORM).status_code == 404
    assert process.deck == PRINTED


def test_players_do_not_choose_the_deck(house: House, process: CameraProcess) -> None:
    keep(house.services.data, "Attic")
    _, phones = house.round()
    for other in (phones[0], house.stranger()):
        assert other.post(f"/t/{house.code}/camera/deck", {"deck": "Attic"}).status_code == 403
        assert other.browser.post("/decks/of/Attic/use", **FORM).status_code == 403
    assert process.deck == PRINTED


def test_a_command_line_names_a_folder_or_a_kept_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attic = keep(tmp_path, "Attic")
    monkeypatch.chdir(tmp_path)
    assert folder_of(tmp_path, Path("Attic")) == attic
    assert choice_of(tmp_path, attic) == "Attic"
    (tmp_path / "Attic").mkdir()
    # A choice on the page is the kept deck, whatever lies in the folder that the program was started in.
    assert chosen_folder(tmp_path, "Attic") == attic
    assert choice_of(tmp_path, Path("Attic")) == str(tmp_path / "Attic") != str(attic)
    assert folder_of(tmp_path, Path("Attic")) == Path("Attic")  # a folder that is there goes first
    assert folder_of(tmp_path, Path("none")) == Path("none")  # and the reader says what is wrong with it
