"""Which addresses count as one client."""

from __future__ import annotations

from starlette.requests import Request

from noughts.web.clients import client_of, network_of


def test_an_ipv6_network_is_one_client_and_an_ipv4_address_is_one() -> None:
    for one, other, is_same in (
        ("10.0.0.1", "10.0.0.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("testclient", "", False),
    ):
        assert (network_of(one) == network_of(other)) == is_same, (one, other)


def test_the_client_of_a_request() -> None:
    for client, expected in ((("2001:db8::1", 80), "2001:db8::/64"), (None, "")):
        assert client_of(Request({"type": "http", "client": client})) == expected
