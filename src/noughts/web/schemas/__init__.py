"""The JSON of the API, as pydantic models.

::

    requests    bodies of requests, which are validated
    responses   bodies of responses, for the OpenAPI document
    puzzles     both of them for puzzles
    rooms       both of them for games by link
    errors      the one shape of errors, and how a route documents them
"""
