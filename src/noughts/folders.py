"""Folders of the user: where data and caches belong, and which folders are private."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

__all__ = ["create_private", "user_folder"]

_PLACES = {
    "data": {"darwin": "~/Library/Application Support", "win32": "~/AppData/Local"},
    "cache": {"darwin": "~/Library/Caches", "win32": "~/AppData/Local"},
}
_USUAL = {"data": "~/.local/share", "cache": "~/.cache"}


def user_folder(kind: Literal["data", "cache"]) -> Path | None:
    """Return the user's folder for data or caches of noughts, which need not exist.

    It is None for a user without a home folder, as in a container that runs as any user.
    """
    chosen = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    if sys.platform == "win32":
        chosen = chosen or os.environ.get("LOCALAPPDATA", "")
    if not os.path.isabs(chosen):  # to be ignored, by the XDG specification
        chosen = os.path.expanduser(_PLACES[kind].get(sys.platform, _USUAL[kind]))
    return Path(chosen, "noughts") if os.path.isabs(chosen) else None


def create_private(folder: Path) -> bool:
    """Create a folder that only this user can write to; return False if that is impossible.

    What is loaded from a private folder was written by this user: machine code, for one. A
    folder that exists is left as it is.
    """
    try:
        for each in reversed([folder, *folder.parents]):
            if not each.exists():
                each.mkdir(mode=0o700, exist_ok=True)
        return os.access(folder, os.W_OK | os.X_OK) and (os.name != "posix" or _is_private(folder))
    except OSError:
        return False


def _is_private(folder: Path) -> bool:
    """Return whether no other user can change what a folder holds, or put another in its place.

    Beside the folder itself this looks at those above it: they belong to the user or to root,
    and others cannot write there, or they are like ``/tmp``, where they cannot rename it.
    """
    user = os.getuid()
    folder = folder.resolve(strict=True)
    for each in (folder, *folder.parents):
        status = each.stat()
        is_ours = status.st_uid == user or (each != folder and status.st_uid == 0)
        others = 0o002 if _is_own_group(status.st_gid, user) else 0o022
        is_sticky = each != folder and status.st_mode & 0o1000
        if not is_ours or (status.st_mode & others and not is_sticky):
            return False
    return True


def _is_own_group(group: int, user: int) -> bool:
    """Return whether a group is that of one user alone, as many systems have one for each."""
    import grp
    import pwd

    try:
        owner, members = pwd.getpwuid(user), grp.getgrgid(group)
    except KeyError:
        return False
    is_private = members.gr_name == owner.pw_name and owner.pw_gid == group
    return is_private and {*members.gr_mem} <= {owner.pw_name}
