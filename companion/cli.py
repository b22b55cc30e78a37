"""The `pithead` command line (play, watch, read, enrol, print ...): what is typed, how errors are told."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from flask_babel import gettext

from companion import language
from companion.sentences import sentence
from companion.trouble import coded

# Without this Windows takes up to 20 s to open a webcam; it must be set before OpenCV is imported.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")

TROUBLE = 2
"""Exit code for whatever a person has to mend."""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code. A trouble is one line on stderr, never a traceback."""
    with language.in_terminal():
        options = parser().parse_args(arguments)
        try:
            return int(options.run(options))
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:
            # Whoever read our output has heard enough; the interpreter must not try to flush it again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except Exception as error:
            trouble = coded(error)
            if trouble is None:
                raise
            print(f"pithead: {sentence(trouble.code, trouble.params)}", file=sys.stderr)
            return TROUBLE


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="pithead",
        description=gettext("Referees a night of Saboteur: phones for secrets, a camera for the cards."),
    )
    commands = top.add_subparsers(metavar=gettext("COMMAND"), required=True)
    _play(_command(commands, "play", gettext("open a table and serve it to the phones"), _run_play))
    _watch(_command(commands, "watch", gettext("watch a table with a camera"), _run_watch))
    _read(_command(commands, "read", gettext("read pictures of a table"), _run_read))
    _enrol(
        _command(commands, "enrol", gettext("make a deck folder from photographs of your cards"), _run_enrol)
    )
    _print(_command(commands, "print", gettext("make sheets to print"), _run_print))
    deck = _command(commands, "deck", gettext("write the printed deck as a deck folder"), _run_deck)
    deck.add_argument("folder", type=Path, metavar=gettext("FOLDER"))
    deck.add_argument("--expansion", action="store_true", help=gettext("with the expansion's cards"))
    _verdict(_command(commands, "verdict", gettext("say whether a card fits on a board"), _run_verdict))
    _bench(_command(commands, "bench", gettext("measure the readers on pictures with known truth"), None))
    doctor = _command(commands, "doctor", gettext("check what a night needs"), _run_doctor)
    _data(doctor)
    _deck(doctor)
    doctor.add_argument(
        "--camera",
        metavar=gettext("SOURCE"),
        help=gettext("check this camera alone: a number, a film, a folder of pictures, an address"),
    )
    doctor.add_argument("--port", type=_port, help=gettext("the port to check"))
    return top


def _command(
    commands: Any, name: str, words: str, run: Callable[[Any], int] | None
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
    if run is not None:
        command.set_defaults(run=run)
    return command


def _play(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--camera",
        metavar=gettext("SOURCE"),
        help=gettext("a webcam's number, a film, a folder of pictures, an address, photo, demo, or off"),
    )
    command.add_argument("--host", metavar=gettext("ADDRESS"), help=gettext("the address to serve at"))
    command.add_argument("--port", type=_port, help=gettext("the port to serve at (8080)"))
    command.add_argument("--new", action="store_true", help=gettext("a new table, not the last one"))
    command.add_argument("--no-browser", action="store_true", help=gettext("do not open the browser"))
    _deck(command)
    _data(command)


def _watch(command: argparse.ArgumentParser) -> None:
    command.add_argument("source", metavar=gettext("SOURCE"))
    command.add_argument("--server", required=True, metavar="URL", help=gettext("the address of the table"))
    command.add_argument("--table", required=True, metavar=gettext("CODE"))
    command.add_argument("--end-with-parent", action="store_true", help=argparse.SUPPRESS)
    _deck_or_none(command)
    _data(command)


def _read(command: argparse.ArgumentParser) -> None:
    command.add_argument("pictures", nargs="+", type=Path, metavar=gettext("PICTURE"))
    command.add_argument("--json", action="store_true", help=gettext("one line of JSON a picture"))
    command.add_argument("--out", type=Path, metavar=gettext("FOLDER"), help=gettext("one file a picture"))
    _deck_or_none(command)
    _data(command)


def _enrol(command: argparse.ArgumentParser) -> None:
    card = gettext("CARD")
    command.add_argument("pictures", nargs="*", type=Path, metavar=gettext("PICTURE"))
    command.add_argument("--out", type=Path, required=True, metavar=gettext("FOLDER"))
    command.add_argument("--start", metavar=card, help=gettext("which card is the start card"))
    command.add_argument("--goals", nargs="+", metavar=card, help=gettext("which cards are the goals"))
    command.add_argument("--goal-back", metavar=card, help=gettext("which card shows the goals' back"))
    command.add_argument("--back", metavar=card, help=gettext("which card shows the path cards' back"))
    command.add_argument("--tunnels", nargs="+", metavar="CARD=NS.E", help=gettext("tunnels set right"))
    command.add_argument("--remove", nargs="+", metavar=card, help=gettext("cards that are not the deck's"))
    command.add_argument("--json", action="store_true", help=argparse.SUPPRESS)


def _print(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=["deck"])
    command.add_argument("--out", type=Path, default=Path("pithead-deck.pdf"), metavar=gettext("FILE"))
    command.add_argument("--paper", choices=["A4", "letter"], default="A4")
    command.add_argument("--font", type=Path, metavar=gettext("FILE"), help=gettext("a TrueType font"))
    command.add_argument("--expansion", action="store_true", help=gettext("with the expansion's cards"))


def _verdict(command: argparse.ArgumentParser) -> None:
    command.add_argument("board", help=gettext('as in "0,0=start 1,0=NEW~ 8,-2=? 8,0=? 8,2=?"'))
    command.add_argument("placement", help=gettext('as in "2,0=EW"'))


def _bench(command: argparse.ArgumentParser) -> None:
    kinds = command.add_subparsers(metavar=gettext("COMMAND"), required=True)
    vision = _command(kinds, "vision", gettext("how well and how fast tables are read"), _run_bench_vision)
    vision.add_argument("frames", nargs="*", type=Path, metavar=gettext("FOLDER"))
    vision.add_argument(
        "--no-cards",
        nargs="+",
        type=Path,
        metavar=gettext("FOLDER"),
        help=gettext("pictures in which no card lies, to see whether any is found"),
    )
    vision.add_argument(
        "--live", action="store_true", help=gettext("read as in a film: no picture is worth seconds")
    )
    vision.add_argument("--endure", type=int, metavar=gettext("COUNT"), help=gettext("read so long a film"))
    _deck(vision)
    _data(vision)
    markers = _command(
        kinds, "markers", gettext("how many markers are found in photographs"), _run_bench_markers
    )
    markers.add_argument("folder", type=Path, metavar=gettext("FOLDER"))
    markers.add_argument(
        "--dictionary",
        type=Path,
        metavar=gettext("FILE"),
        help=gettext("markers that the photographs may show as well, in OpenCV's own file format"),
    )

    evening = _command(
        kinds, "evening", gettext("how soon cards are told in an evening's pictures"), _run_bench_evening
    )
    evening.add_argument("folder", type=Path, metavar=gettext("FOLDER"))
    _deck(evening)
    _data(evening)


def _deck(command: argparse._ActionsContainer) -> None:
    command.add_argument(
        "--deck",
        type=Path,
        metavar=gettext("FOLDER"),
        help=gettext("another deck than the printed one: its folder, or the name of your own deck"),
    )


def _deck_or_none(command: argparse.ArgumentParser) -> None:
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--tunnels", action="store_true", help=gettext("read any deck by its tunnels, without a deck folder")
    )
    _deck(which)


def _data(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, metavar=gettext("FOLDER"), help=gettext("where games are kept"))


def _port(text: str) -> int:
    port = int(text)
    if not 0 < port < 65536:
        raise argparse.ArgumentTypeError(gettext("a port is a number from 1 to 65535"))
    return port


# Each command is imported when it is wanted: OpenCV alone takes most of a second.


def _run_play(options: Any) -> int:
    from companion.commands import play

    return play.run(options)


def _run_watch(options: Any) -> int:
    from companion.commands import watch

    return watch.run(options)


def _run_read(options: Any) -> int:
    from companion.commands import read

    return read.run(options)


def _run_enrol(options: Any) -> int:
    from companion.commands import enrol

    return enrol.run(options)


def _run_print(options: Any) -> int:
    from companion.commands import printing

    return printing.run_print(options)


def _run_deck(options: Any) -> int:
    from companion.commands import printing

    return printing.run_deck(options)


def _run_verdict(options: Any) -> int:
    from companion.commands import verdict

    return verdict.run(options)


def _run_bench_vision(options: Any) -> int:
    from companion.commands import bench

    return bench.run_vision(options)


def _run_bench_markers(options: Any) -> int:
    from companion.commands import bench

    return bench.run_markers(options)


def _run_bench_evening(options: Any) -> int:
    from companion.commands import bench

    return bench.run_evening(options)


def _run_doctor(options: Any) -> int:
    from companion.commands import doctor

    return doctor.run(options)


if __name__ == "__main__":
    sys.exit(main())
