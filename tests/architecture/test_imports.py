"""Imports point one way. The table below is the picture in ARCHITECTURE.md: change both or neither."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("companion", "vision", "printables", "web")
MOST_LINES = 400

GAME = "companion.game"

TABLE_STANDS_ON = {
    GAME,
    "companion.camera_desk",
    "companion.data_folder",
    "companion.log",
    "companion.referee",
    "companion.shared_seats",
    "companion.trouble",
}

SEEING = {GAME, "vision", "vision.markers"}
EYES = {"vision", "vision.enrolment", "vision.markers", "vision.tunnels", "vision.unmarked"}

# Room -> the rooms it may import. A module belongs to the room with the longest name that begins its own.
ARROWS: dict[str, set[str]] = {
    # the rules, and what is known about a table
    GAME: set(),
    "companion.referee": {GAME},
    "companion.camera_desk": {GAME, "companion.referee"},
    "companion.table": TABLE_STANDS_ON,
    "companion.tables": TABLE_STANDS_ON | {"companion.table"},
    # what the computer gives: disk, network
    "companion.trouble": set(),
    "companion.data_folder": {"companion.trouble"},
    "companion.log": {GAME, "companion.trouble"},
    "companion.shared_seats": {GAME, "companion.log", "companion.trouble"},
    "companion.own_decks": {GAME, "companion.trouble"},
    "companion.deck_choice": {"companion.data_folder", "companion.own_decks"},
    "companion.enrol_process": {"companion.trouble"},
    "companion.network": {"companion.trouble"},
    # what people see
    "web": set(),
    "companion.wording": set(),
    "companion.language": {"web"},
    "companion.sentences": {GAME, "companion.wording"},
    "companion.server": TABLE_STANDS_ON
    | {
        "companion.deck_choice",
        "companion.enrol_process",
        "companion.language",
        "companion.network",
        "companion.own_decks",
        "companion.sentences",
        "companion.table",
        "companion.tables",
        "companion.wording",
        "printables",
        "web",
    },
    # cameras and cards
    "vision.markers": set(),
    "vision": {GAME, "vision.enrolment", "vision.markers", "vision.tunnels", "vision.unmarked"},
    "vision.tunnels": SEEING,
    "vision.unmarked": SEEING | {"vision.tunnels"},
    "vision.enrolment": SEEING | {"vision.tunnels"},
    "printables": {GAME, "vision.markers"},
    "companion.printed_deck": {"printables"},
    "companion.camera_process": {
        "companion.camera_desk",
        "companion.deck_choice",
        "companion.table",
        "companion.tables",
    },
    "companion.demo": {GAME, "vision"},
    # who puts it all together
    "companion.commands": {"any room"},
    "companion.cli": {"companion.commands", "companion.language", "companion.sentences", "companion.trouble"},
}

# Library -> the rooms that may import it, where that is a matter of who does what.
LIBRARIES: dict[str, set[str]] = {
    "flask": {"companion.server", "companion.language"},
    "flask_babel": {
        "companion.server",
        "companion.language",
        "companion.sentences",
        "companion.commands",
        "companion.cli",
    },
    "waitress": {"companion.server"},
    "sqlalchemy": {"companion.log"},
    "cv2": EYES | {"printables", "companion.commands"},
    "numpy": EYES | {"printables"},
    "ifaddr": {"companion.network"},
    "fpdf": {"printables"},
    "pypdfium2": {"printables"},
}

# Library -> the distributions that bring it, where the names differ. Flask's parts come with Flask.
DISTRIBUTIONS = {
    "cv2": ("opencv-python", "opencv-python-headless"),
    "flask_babel": ("flask-babel",),
    "fpdf": ("fpdf2",),
    "PIL": ("pillow",),
    "babel": ("flask-babel",),
    "itsdangerous": ("flask",),
    "jinja2": ("flask",),
    "markupsafe": ("flask",),
    "werkzeug": ("flask",),
}

# The pure rooms: no input or output, no clock, no chance but what is handed in. They get by with these.
PURE_ROOMS = (GAME, "companion.referee")
PURE_LIBRARY = {"__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "itertools"}
PURE_LIBRARY |= {"json", "math", "operator", "random", "re", "string", "types", "typing"}
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__"}


def name_of(path: Path) -> str:
    """The name a file is imported by."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {name_of(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


def room_of(module: str) -> str | None:
    """The room of a module: the longest name in the table that is the module or a package above it."""
    rooms = [room for room in ARROWS if f"{module}.".startswith(f"{room}.")]
    return max(rooms, key=len, default=None)


def imports_of(module: str) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a module imports, wherever in the file it does so."""
    package = module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{source}.{alias.name}"
                yield node.lineno, full if full in FILES else source


def calls_in(module: str) -> Iterator[tuple[int, str, ast.Call]]:
    """Line, spelling and node of every call in a module."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func), node


def test_every_module_has_a_room() -> None:
    homeless = [name for name in FILES if room_of(name) is None and name != "companion"]
    assert not homeless, "\n".join(homeless)
    assert list(imports_of("companion")) == []


@pytest.mark.parametrize("room", ARROWS)
def test_imports_point_the_way_of_the_table(room: str) -> None:
    upward = [
        f"{FILES[module].relative_to(ROOT)}:{line} imports {imported}"
        for module in FILES
        if room_of(module) == room and ARROWS[room] != {"any room"}
        for line, imported in imports_of(module)
        if imported in FILES and imported not in PACKAGES
        if room_of(imported) not in ARROWS[room] | {room}
    ]
    assert not upward, "\n".join(upward)


def test_no_module_stands_on_itself() -> None:
    """Within a room, too, nobody needs what needs him."""
    needs = {module: {name for _, name in imports_of(module) if name in FILES} for module in FILES}
    TopologicalSorter(needs).prepare()


def test_libraries_stay_in_their_rooms() -> None:
    strays = [
        f"{FILES[module].relative_to(ROOT)}:{line} imports {imported}"
        for module in FILES
        for line, imported in imports_of(module)
        if (library := imported.partition(".")[0]) in LIBRARIES
        if room_of(module) not in LIBRARIES[library]
    ]
    assert not strays, "\n".join(strays)


@pytest.mark.parametrize("module", [name for name in FILES if room_of(name) in PURE_ROOMS])
def test_the_rules_are_pure(module: str) -> None:
    tops = {imported.partition(".")[0] for _, imported in imports_of(module)}
    assert tops - {*PACKAGES, *PURE_LIBRARY} == set()
    assert [line for line, called, _ in calls_in(module) if called in IMPURE_CALLS] == []


@pytest.mark.parametrize("module", [name for name in FILES if room_of(name) in PURE_ROOMS])
def test_chance_is_handed_in(module: str) -> None:
    """`random` may name the type of what is handed in (`Random`); its functions share one hidden state."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [alias.name for alias in node.names] == ["Random"]
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "random":
            assert node.attr == "Random"
    unseeded = [
        line for line, called, call in calls_in(module) if called.endswith("Random") and not call.args
    ]
    assert unseeded == []


@pytest.mark.parametrize("module", FILES)
def test_a_file_says_its_reason_to_exist_and_stays_short(module: str) -> None:
    assert (ast.get_docstring(TREES[module]) or "").strip(), "no docstring on the first line"
    assert len(FILES[module].read_text(encoding="utf-8").splitlines()) < MOST_LINES


def test_the_table_names_no_room_that_is_gone() -> None:
    assert [room for room in ARROWS if room not in {room_of(name) for name in FILES}] == []


def test_every_library_is_declared() -> None:
    """What the code imports is Python's own or a dependency that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[^\w-]", line)[0].lower() for line in project["dependencies"]}
    undeclared = [
        f"{FILES[module].relative_to(ROOT)}:{line} imports {imported}"
        for module in FILES
        for line, imported in imports_of(module)
        if (top := imported.partition(".")[0]) not in {*sys.stdlib_module_names, *PACKAGES}
        if not declared & set(DISTRIBUTIONS.get(top, (top,)))
    ]
    assert not undeclared, "\n".join(undeclared)
