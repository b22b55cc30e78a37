"""The English sentence of every code, by who speaks: the source of all catalogues.

`%(name)s` is a parameter; how each is put into words stands in `companion.sentences`. A key "code/value" is
the sentence of a code when its parameter `edge`, `token`, `winner` or `card` has that value.
"""

from __future__ import annotations


def N_(sentence: str) -> str:
    """Marks a sentence for the catalogues without translating it now."""
    return sentence
