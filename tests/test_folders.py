"""Where the files of a user belong, and which folders nobody else can write to."""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts.folders import create_private, user_folder

VARIABLES = ("XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_the_folders_of_each_platform(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {
        "linux": (".local/share", ".cache"),
        "freebsd14": (".local/share", ".cache"),
        "darwin": ("Library/Application Support", "Library/Caches"),
        "win32": ("AppData/Local", "AppData/Local"),
    }
    for platform, (data, cache) in places.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert user_folder("data") == home / data / "noughts"
        assert user_folder("cache") == home / cache / "noughts"
    monkeypatch.setenv("LOCALAPPDATA", str(home / "local"))
    assert user_folder("cache") == home / "local" / "noughts"
    monkeypatch.setattr(sys, "platform", "linux")
    for ignored in ("", "relative", "~/.cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        assert user_folder("cache") == home / ".cache" / "noughts"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "caches"))
    assert user_folder("cache") == home / "caches" / "noughts"


@pytest.mark.parametrize("at_home", [None, "relative", "~"])
def test_a_user_without_a_home_has_no_folders(
    home: Path, at_home: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one that the system does not know; `./~` would be a folder for anyone to plant."""

    def unknown(user: int) -> Any:
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    if at_home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", at_home)
    assert user_folder("cache") is None
    assert user_folder("data") is None


@needs_posix
def test_a_private_folder_is_created_with_all_above_it(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        folder = tmp_path / "a" / "b" / "c"
        assert create_private(folder)
        for each in (folder, folder.parent, folder.parent.parent):
            assert each.stat().st_mode & 0o777 == 0o700
        assert create_private(folder)
    finally:
        os.umask(before)


@needs_posix
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o702])
def test_a_folder_that_others_can_write_to_is_not_private(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "shared" / "cache"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    assert not create_private(folder)
    assert folder.stat().st_mode & 0o7777 == mode  # it is left as it is
    folder.chmod(0o755)
    assert create_private(folder)
    folder.parent.chmod(mode)  # who can write there could rename ours
    assert create_private(folder) is (mode == 0o1777)  # but not in a folder like /tmp


@needs_posix
def test_a_folder_of_another_user_is_not_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    assert create_private(folder)
    monkeypatch.setattr(os, "getuid", lambda: os.stat(folder).st_uid + 1)
    assert not create_private(folder)


@needs_posix
def test_a_link_is_as_private_as_what_it_leads_to(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert not create_private(link)
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    assert not create_private(link)


@needs_posix
def test_the_group_of_one_user_alone_is_that_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where each user has a group, folders are often writable by it."""
    import grp

    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o775)
    user, group = folder.stat().st_uid, folder.stat().st_gid
    monkeypatch.setattr(
        pwd, "getpwuid", lambda _: pwd.struct_passwd(("me", "x", user, group, *"abc"))
    )

    def members(*names: str, name: str = "me") -> None:
        found = grp.struct_group((name, "x", group, [*names]))
        monkeypatch.setattr(grp, "getgrgid", lambda _: found)

    members()
    assert create_private(folder)
    members("me")
    assert create_private(folder)
    members("me", "you")
    assert not create_private(folder)
    members(name="staff")
    assert not create_private(folder)


def test_where_no_folder_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not create_private(tmp_path / "file" / "cache")
    assert not create_private(tmp_path / "file")
