"""What is typed beside `play`: verdicts, checks, and errors in one line."""

from pathlib import Path

import cv2
import pytest

from companion import cli
from companion.game.cards import GOAL_CELLS
from vision.deckbook import Deck
from vision.simulate import SimulatedTable

BOARD = "0,0=start 1,0=NEW 8,-2=? 8,0=? 8,2=?"


def run(capsys: pytest.CaptureFixture[str], *line: str) -> tuple[int, str, str]:
    code = cli.main(line)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_card_that_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "verdict", BOARD, "2,0=EW") == (0, "It may lie there.\n", "")


def test_a_card_that_does_not_fit_gets_its_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "verdict", BOARD, "2,0=NS")
    assert code == 1
    assert out.splitlines() == [
        "It may not lie there:",
        "  rock_meets_tunnel: Its left side is rock, but the card there has a tunnel.",
        "  not_joined: No tunnel of it is joined to the start.",
    ]


@pytest.mark.parametrize(
    ("board", "placement"), [("0,0=start x", "1,0=EW"), (BOARD, "1=EW"), (BOARD, "1,0=QQ"), (BOARD, "1,0=?")]
)
def test_what_cannot_be_read_is_said(capsys: pytest.CaptureFixture[str], board: str, placement: str) -> None:
    code, out, err = run(capsys, "verdict", board, placement)
    assert (code, out) == (2, "")
    assert err.startswith("pithead: This is no ") and err.count("\n") == 1


def test_the_doctor_names_what_is_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = run(capsys, "doctor", "--data", str(tmp_path))
    assert "OpenCV" in out
    assert str(tmp_path) in out


def test_the_doctor_says_what_to_mend(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    code, out, _ = run(capsys, "doctor", "--data", str(tmp_path / "file"))
    assert code == 1
    assert "✗ The data folder" in out


def table_pictures(folder: Path, deck: Deck) -> Path:
    """A folder with one picture of the opening layout."""
    table = SimulatedTable(deck, 2)
    table.lay("start", (0, 0))
    for name, cell in zip(("gold", "stone-NE", "stone-NW"), GOAL_CELLS, strict=True):
        table.lay(name, cell, face_up=False)
    folder.mkdir()
    cv2.imwrite(str(folder / "table.png"), table.frame())
    return folder


def test_the_doctor_looks_at_the_table_through_a_camera(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, deck: Deck, deck_folder: Path
) -> None:
    source = table_pictures(tmp_path / "evening", deck)
    where = ["--data", str(tmp_path / "data"), "--deck", str(deck_folder)]
    _, out, _ = run(capsys, "doctor", *where, "--camera", str(source))
    assert "1280 x 720" in out
    assert "✓ Start card: 1 of 1. Goals: 3 of 3." in out
    assert "✓ The whole board is in the picture." in out
    assert "To set a camera up" in out


@pytest.mark.parametrize(
    ("source", "said"), [("77", "no camera with number 77"), ("http://127.0.0.1:9/video", "Nothing answers")]
)
def test_the_doctor_says_what_keeps_a_camera_from_being_looked_through(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, deck_folder: Path, source: str, said: str
) -> None:
    where = ["--data", str(tmp_path / "data"), "--deck", str(deck_folder)]
    code, out, _ = run(capsys, "doctor", *where, "--camera", source)
    assert code == 1
    assert any(line.strip().startswith("✗") and said in line for line in out.splitlines())


def test_nothing_and_nonsense_show_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    for line in ([], ["dance"], ["play", "--port", "99999"], ["play", "--port", "many"]):
        with pytest.raises(SystemExit) as caught:
            cli.main(line)
        assert caught.value.code == 2
        assert "usage: pithead" in capsys.readouterr().err


def test_the_terminals_language_is_spoken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "et")
    assert run(capsys, "verdict", BOARD, "2,0=EW")[0] == 0


def test_a_table_elsewhere_is_not_posted_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for server in ("http://example.org", "nonsense"):
        line = ["watch", "0", "--server", server, "--table", "K7QX", "--data", str(tmp_path)]
        code, _, err = run(capsys, *line)
        assert code == 2 and err.count("\n") == 1
