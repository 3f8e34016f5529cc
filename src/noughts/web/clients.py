"""Which addresses count as one client, for all limits on what one client may do."""

from __future__ import annotations

import ipaddress

from starlette.requests import HTTPConnection

__all__ = ["client_of", "network_of"]


def client_of(request: HTTPConnection) -> str:
    """Return the client that a request comes from, as a key for counting."""
    return network_of(request.client.host if request.client else "")


def network_of(address: str) -> str:
    """Return the part of an address that one client cannot easily change: of IPv6 a /64 network.

    >>> network_of("2001:db8::1"), network_of("::ffff:10.0.0.1"), network_of("10.0.0.1")
    ('2001:db8::/64', '10.0.0.1', '10.0.0.1')
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address  # the name of a socket
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None:
            return str(ipaddress.ip_network((ip, 64), strict=False))
        ip = ip.ipv4_mapped
    return str(ip)
