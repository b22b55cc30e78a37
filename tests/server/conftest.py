from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.house import House, opened


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened(tmp_path / "data") as house:
        yield house
