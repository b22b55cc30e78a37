"""Runs `pithead enrol` on one photograph, in a process of its own: a bad picture costs nobody the game."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from companion.trouble import Trouble

LONGEST_S = 180.0
"""A photograph takes 3 s on a usual laptop; beyond this something hangs."""


def enrol(jpeg: bytes, folder: Path, name: str = "picture") -> list[dict[str, Any]]:
    """Adds the cards on a photograph to the draft in a folder; what was wrong with it, as codes with
    parameters, and how many cards it showed: `[{"name", "cards", "problems"}]`.

    Raises Trouble `enrol_failed`: nothing was changed then.
    """
    with tempfile.TemporaryDirectory(prefix="pithead-") as place:
        picture = Path(place) / f"{name}.jpg"
        picture.write_bytes(jpeg)
        command = [
            sys.executable,
            "-m",
            "companion.cli",
            "enrol",
            str(picture),
            "--out",
            str(folder),
            "--json",
        ]
        try:
            done = subprocess.run(
                command, capture_output=True, timeout=LONGEST_S, check=True, stdin=subprocess.DEVNULL
            )
            told: list[dict[str, Any]] = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise Trouble("enrol_failed") from error
    return told
