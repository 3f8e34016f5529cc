"""The worked example learns, and says what the policy is worth."""

from __future__ import annotations

import re

import pytest
from examples.self_play import policy_of, train

from noughts import rl


def test_it_learns_by_playing_against_itself(capsys: pytest.CaptureFixture[str]) -> None:
    network = train("2x3x2", 200, boards=128, hidden=32, every=100)
    found = rl.evaluate(policy_of(network), "2x3x2")
    assert found.decision_accuracy > rl.evaluate(rl.uniform, "2x3x2").decision_accuracy + 0.2
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    assert said[-1].endswith(str(found))
    accuracies = [float(re.findall(r"value in ([\d.]+)%", line)[0]) for line in said]
    assert accuracies[-1] > accuracies[0] + 10
