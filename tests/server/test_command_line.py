"""What is typed beside `play`: verdicts, checks, and errors in one line."""

from pathlib import Path

import pytest

from companion import cli

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
