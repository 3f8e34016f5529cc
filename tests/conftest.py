"""What all tests share: how many examples laws get.

Each run draws others, so that a few in each are many over time. A law that needs more of them
says so itself. How long an example takes is the machine's affair.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "noughts", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("noughts")
