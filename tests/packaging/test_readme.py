"""What README.md tells a newcomer to type is what the program understands."""

import re
import shlex
from pathlib import Path

import pytest

from companion import language
from companion.cli import parser
from start import with_command

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```[a-z]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
IN_LINE = re.compile(r"`((?:pithead|python3 start\.py)[^`\n]*)`")
PROMPT = re.compile(r"^(\$|>|PS>) +")
OTHER_WAYS = {"pip", "pip3", "pipx", "uv", "apt", "apt-get", "brew", "npm", "npx", "docker", "make", "source"}

LINES = [PROMPT.sub("", line.strip()) for block in FENCED.findall(README) for line in block.splitlines()]


def typed(line: str) -> list[str] | None:
    """What pithead is started with by a line of the README; None when it starts something else."""
    for program in ("pithead", ".venv/bin/pithead", "python3 start.py"):
        if f"{line} ".startswith(f"{program} "):
            arguments = shlex.split(line.removeprefix(program), comments=True)
            return with_command(arguments) if program == "python3 start.py" else arguments
    return None


TYPED = [words for line in LINES + IN_LINE.findall(README) if (words := typed(line))]


def test_two_commands_set_everything_up() -> None:
    lines = {line.partition("#")[0].strip() for line in LINES}
    bare = {line for line in lines if re.fullmatch(r"python3 start\.py( test)?", line)}
    assert bare == {"python3 start.py", "python3 start.py test"}
    words = {word for line in LINES for word in line.removeprefix("sudo ").split()[:1]}
    assert words & OTHER_WAYS == set()


@pytest.mark.parametrize("line", sorted({shlex.join(words) for words in TYPED if words[0] != "test"}))
def test_every_command_it_names_is_understood(line: str) -> None:
    code: object = 0
    with language.in_terminal():
        try:
            parser().parse_args(shlex.split(line))
        except SystemExit as stop:  # how argparse ends: 0 after --help, 2 after what it does not know
            code = stop.code
    assert code == 0
