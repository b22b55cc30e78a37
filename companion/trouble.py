"""An error that a person meets outside the rules, as a code with parameters: `sentences` has the words."""

from __future__ import annotations


class Trouble(Exception):
    """Something a person has to know or mend: a folder, a port, a camera, a damaged log.

    >>> str(Trouble("port_in_use", port=8080))
    "port_in_use {'port': 8080}"
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        return f"{self.code} {self.params}"


def coded(error: Exception) -> Trouble | None:
    """The trouble in any exception with `code` and `params` (the readers have their own), else None."""
    if isinstance(error, Trouble):
        return error
    code, params = getattr(error, "code", None), getattr(error, "params", None)
    if isinstance(code, str) and isinstance(params, dict):
        return Trouble(code, **params)
    return None
