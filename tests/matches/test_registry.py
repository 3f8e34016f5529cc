from __future__ import annotations

from pathlib import Path

import pytest

from noughts.errors import NotationError, SizeError
from noughts.matches import registry
from noughts.matches.external import ExternalPlayer
from noughts.matches.players import EnginePlayer, LevelPlayer, RandomPlayer
from noughts.matches.registry import player_of
from support.bots import bot


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("random", RandomPlayer),
        ("engine", EnginePlayer),
        ("engine:threads=2", EnginePlayer),
        ("uct", EnginePlayer),
        ("casual", LevelPlayer),
        ("full:threads=2", LevelPlayer),
    ],
)
def test_players_have_the_name_they_were_asked_by(text: str, kind: type[object]) -> None:
    player = player_of(text)
    assert isinstance(player, kind)
    assert player.name == text
    player.close()
    player.close()


def test_a_command_may_have_colons_and_commas(tmp_path: Path) -> None:
    command = f"cmd:{bot(tmp_path)} a:b,c=d"
    player = player_of(command)
    assert isinstance(player, ExternalPlayer)
    assert player.name == command
    player.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a player"),
        ("nobody", "is not a player"),
        ("Random", "is not a player"),
        ("random:x=1", "has no setting 'x'"),
        ("engine:x=1", "it has threads"),
        ("engine:threads", "settings are like"),
        ("engine:threads=", "settings are like"),
        ("engine:threads=2,threads=2", "settings are like"),
        ("engine:threads=²", "threads must be a whole number"),
        ("openspiel:c=0", "c must be a number above 0"),
        ("openspiel:c=nan", "c must be a number above 0"),
        ("cmd:", "needs a command"),
    ],
)
def test_what_is_no_player_is_refused(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        player_of(text)


def test_a_wrong_setting_is_refused_before_a_player_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(*arguments: object, **settings: object) -> None:
        raise AssertionError("made")

    monkeypatch.setattr(registry, "EnginePlayer", make)
    with pytest.raises(NotationError, match="has no setting 'x'"):
        player_of("engine:threads=2,x=1")


def test_threads_that_make_no_sense_are_refused_before_a_game() -> None:
    for threads in (0, 65):
        with pytest.raises(SizeError, match="threads must be"):
            player_of(f"engine:threads={threads}")
