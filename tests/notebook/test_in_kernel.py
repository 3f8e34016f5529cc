"""The board in a real kernel, which hears clicks and runs cells at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

SECONDS = 120  # to wait for something that has to happen; the machine may be busy


@pytest.fixture
def client() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(startup_timeout=SECONDS)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def messages(client: BlockingKernelClient, kind: str) -> Iterator[dict[str, Any]]:
    """Yield what the kernel says of a kind, as it comes."""
    while True:
        message = client.get_iopub_msg(timeout=SECONDS)
        if message["msg_type"] == kind:
            yield message["content"]


def test_a_click_is_answered_beside_other_cells(client: BlockingKernelClient) -> None:
    client.execute(
        "from noughts.notebook import board\n"
        "board('ultimate ee', x='skilled', seconds=1).play('ea')  # everything is loaded now\n"
        "played = board('ultimate', o='full', seconds=5)"
    )
    opened = messages(client, "comm_open")
    states = ((each["comm_id"], each["data"]["state"]) for each in opened)
    comm_id, state = next(
        each for each in states if "shown" in each[1] and each[1]["shown"]["players"]["O"] == "full"
    )
    assert "createBoard" in state["_esm"]
    click = {"method": "custom", "content": {"move": "ee", "on": "ultimate"}}
    content = {"comm_id": comm_id, "data": click}
    client.shell_channel.send(client.session.msg("comm_msg", content))
    client.execute("print('moves:', len(played.game.moves))")

    said = next(messages(client, "stream"))["text"]
    assert said == "moves: 1\n", "the cell ran while the computer was still thinking"
    updates = messages(client, "comm_msg")
    shown = (each["data"].get("state", {}).get("shown") for each in updates)
    last = next(each for each in shown if each and each["view"]["played"] == 2)
    assert last["thinking"] is False
