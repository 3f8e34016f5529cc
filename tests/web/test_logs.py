"""The log of the server: what is said often is said a few times."""

from __future__ import annotations

import logging

import pytest

from noughts.web.logs import RateLimit


def test_the_first_of_each_kind_and_the_number_of_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = 0.0
    limit = RateLimit(most=2, seconds=10, clock=lambda: now)
    logger = logging.getLogger("noughts.test")
    logger.addFilter(limit)
    try:
        for client in range(1000):
            logger.error("client %d failed", client)
            if client == 500:
                logger.error("another matter")
        assert caplog.messages == ["client 0 failed", "client 1 failed", "another matter"]
        now = 10.0
        logger.error("client %d failed", 7)
        logger.error("client %d failed", 8)
        logger.error("client %d failed", 9)
        said = "client 7 failed (998 more like this were not logged)"
        assert caplog.messages[3:] == [said, "client 8 failed"]
    finally:
        logger.removeFilter(limit)


def test_what_differs_each_time_is_limited_too(caplog: pytest.LogCaptureFixture) -> None:
    limit = RateLimit(most=1)
    logger = logging.getLogger("noughts.test")
    logger.addFilter(limit)
    try:
        for number in range(1000):
            logger.error(f"failure {number}\nwith a second line")
    finally:
        logger.removeFilter(limit)
    assert len(caplog.messages) <= 101
