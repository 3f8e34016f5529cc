"""Every game, listed and counted.

`listing` walks games one by one; `frontier` counts them without walking any.
"""
