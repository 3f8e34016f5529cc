"""The names that players give themselves: shown to others, so cleaned of what would harm them."""

from __future__ import annotations

import unicodedata

from noughts.web.errors import ApiError

__all__ = ["MOST_CHARACTERS", "clean_name"]

MOST_CHARACTERS = 20

_MOST_ACCENTS = 3  # on one letter; more would run into the lines above and below


def clean_name(text: str) -> str:
    r"""Return a name as it is shown, which may be empty, or refuse one that is too long.

    What cannot be seen goes, as it could turn the direction of the text around it, and so do
    accents on accents on accents; spaces become single ones.

    >>> clean_name("  Anna\u202e \n Maria ")
    'Anna Maria'
    """
    kept: list[str] = []
    accents = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        accents = accents + 1 if kind.startswith("M") else 0
        if kind.startswith("Z") or char in "\t\r\n":
            kept.append(" ")
        elif not kind.startswith("C") and accents <= (_MOST_ACCENTS if kept else 0):
            kept.append(char)
    name = " ".join("".join(kept).split())
    if len(name) > MOST_CHARACTERS:
        message = f"a name may have {MOST_CHARACTERS} characters, not {len(name)}"
        raise ApiError(422, message, field="name")
    return name
