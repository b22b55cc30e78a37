"""The event log and its folder: nothing lost, nothing guessed, and a clear word when it cannot be used."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.data_folder import ENVIRONMENT, DataFolder, default_folder
from companion.game.state import Phase
from companion.log import Entry, Log, SeatKey
from companion.server.services import Services
from companion.tables import CODE_LETTERS, Tables, new_code
from companion.trouble import Trouble
from tests.server.house import House, opened


def code_of(call: object) -> str:
    with pytest.raises(Trouble) as caught:
        call()  # type: ignore[operator]
    return caught.value.code


def test_a_night_is_the_same_after_replay(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        _, (ada, _, _) = first.round()
        ada.ask(do="place", cell=[1, 0], face="EW")
        before = first.table.present().history
    with opened(tmp_path) as second:
        assert second.code == first.code
        assert second.table.present().history == before


def test_the_same_command_after_a_restart_is_still_the_same_command(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        first.host().ask("t", id="tap", do="set_options", options={"break_oneself": False})
    with opened(tmp_path) as second:
        assert second.host().ask("t", id="tap", do="set_options", options={}).status_code == 200
        assert second.table.present().version == 1


def test_after_a_finished_game_the_table_stays_for_the_evening_and_the_next_one_has_a_new_table(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as first:
        host, _ = first.round()
        while (phase := first.table.present().match.phase) is not Phase.OVER:
            assert host.ask("t", do="end_round" if phase is Phase.ROUND else "start_round").status_code == 200
        code = first.code
    with opened(tmp_path) as second:
        assert second.code == code
        assert second.table.present().match.phase is Phase.OVER
    connection = sqlite3.connect(tmp_path / "pithead.sqlite3")
    connection.execute("UPDATE batches SET written_at = written_at - 7 * 3600")
    connection.commit()
    connection.close()
    with opened(tmp_path) as third:
        assert third.code != code
        assert third.services.tables.find(code) is not None


def test_a_new_table_is_set_when_it_is_asked_for(house: House) -> None:
    services = Services.of(house.folder, house.log, house.services.whereabouts, new_table=True)
    assert services.code != house.code
    assert services.tables.find(house.code) is not None


def test_a_half_written_step_leaves_no_seat(house: House) -> None:
    with pytest.raises(Trouble):
        house.log.append("ZZZZ", Entry(1, "a", {}), SeatKey(1, "digest"))
    assert house.log.seat_keys("ZZZZ") == []
    assert house.log.entries("ZZZZ") == []


def test_one_version_is_written_once(house: House) -> None:
    house.log.append(house.code, Entry(1, "a", {}))
    for entry in (Entry(1, "b", {}), Entry(2, "a", {})):
        assert code_of(lambda entry=entry: house.log.append(house.code, entry)) == "log_written_elsewhere"
    assert [entry.command_id for entry in house.log.entries(house.code)] == ["a"]


def test_a_newer_key_replaces_the_older_one(house: House) -> None:
    house.log.replace_key(house.code, SeatKey(1, "old"))
    house.log.replace_key(house.code, SeatKey(1, "new"))
    assert house.log.seat_keys(house.code) == [SeatKey(1, "new")]
    assert house.log.code_of_key("old") is None
    assert house.log.code_of_key("new") == house.code


def test_sqlite_is_set_up_for_a_night(house: House) -> None:
    with house.log._read() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert settings == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 3000}


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert code_of(lambda: DataFolder(tmp_path / "file")) == "data_folder_not_writable"
    assert code_of(lambda: DataFolder(tmp_path / "file" / "below")) == "data_folder_not_writable"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_is_protected_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert code_of(lambda: DataFolder(tmp_path)) == "data_folder_not_writable"
    tmp_path.chmod(0o700)


def test_a_folder_in_use_is_told(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.take()
    again = (
        "import sys; from pathlib import Path; from companion.data_folder import DataFolder;"
        "DataFolder(Path(sys.argv[1])).take()"
    )
    other = [sys.executable, "-c", again, str(tmp_path)]
    refused = subprocess.run(other, capture_output=True, text=True, check=False)
    assert "data_folder_in_use" in refused.stderr
    folder.release()
    assert subprocess.run(other, check=False).returncode == 0


def test_a_log_in_another_programs_hands_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.log.BUSY_MS", 10)
    log = Log(f"sqlite:///{tmp_path / 'log'}")
    other = sqlite3.connect(tmp_path / "log", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert code_of(lambda: log.create("ZZZZ")) == "database_locked"
    other.execute("ROLLBACK")
    log.create("ZZZZ")
    other.close()
    log.close()


def test_a_log_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'log'}"
    Log(url).close()
    with sqlite3.connect(tmp_path / "log") as connection:
        connection.execute("UPDATE about SET value = '99'")
    connection.close()
    assert code_of(lambda: Log(url)) == "log_from_newer_version"


def test_a_damaged_log_is_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"this is no database, but long enough to look like one" * 100)
    assert code_of(lambda: Log(f"sqlite:///{tmp_path / 'log'}")) == "log_damaged"


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM batches WHERE version = 2",
        "UPDATE batches SET body = '{}' WHERE version = 2",
        "UPDATE batches SET body = 'no json' WHERE version = 2",
        "UPDATE batches SET body = '[]' WHERE version = 2",
        "UPDATE batches SET body = replace(body, 'joined', 'jumped')",
    ],
)
def test_a_log_with_a_damaged_step_is_told(tmp_path: Path, damage: str) -> None:
    with opened(tmp_path) as house:
        house.phones(3)
    connection = sqlite3.connect(tmp_path / "pithead.sqlite3")
    connection.execute(damage)
    connection.commit()
    connection.close()
    log = Log(DataFolder(tmp_path).log_url)
    tables = Tables(log, lambda *_: None)
    assert code_of(tables.to_go_on_with) == "log_damaged"
    assert tables.create().code != house.code
    log.close()


def test_keys_are_kept_and_are_nobody_elses_to_read(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert len(folder.key("secret_key")) == 64
    assert len(folder.link_key("host_secret")) == 22
    assert DataFolder(tmp_path).key("secret_key") == folder.key("secret_key")
    if sys.platform != "win32":
        assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_an_empty_key_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("")
    assert len(DataFolder(tmp_path).key("secret_key")) == 64


def test_the_folder_may_be_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv(ENVIRONMENT)
    assert default_folder().name == "pithead"


def test_the_last_port_is_remembered(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.last_port() is None
    folder.remember_port(8083)
    assert folder.last_port() == 8083
    (tmp_path / "port").write_text("many")
    assert folder.last_port() is None


def test_codes_can_be_read_aloud() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) > 190
    assert not set("AEIOUY01258S6") & set(CODE_LETTERS)
    assert all(len(code) == 4 for code in codes)


def test_steps_are_plain_json(house: House) -> None:
    house.round()
    for entry in house.log.entries(house.code):
        assert json.loads(json.dumps(entry.body)) == entry.body
