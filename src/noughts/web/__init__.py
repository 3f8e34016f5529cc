"""The web server: the page, the HTTP API, and games by link.

::

    app          the application: routes, middleware and worker pools, put together
    server       the application behind a socket
    settings     the limits of a server
    routes/      the addresses of the API
    schemas/     the JSON of requests, responses and errors
    reading      the way from a request's text to a game, within the limits
    errors       what can go wrong: one shape, and its codes
    handlers     errors as responses
    middleware   limits on bodies, security headers, unexpected errors
    openapi      corrections to the OpenAPI document
    clients      which addresses count as one client
    pool/        worker processes for tasks that take time
    rooms/       games by link: the rules of a room, its file, its listeners
    compression  responses compressed that come in one piece, streams as they are
    pages        the addresses of the page's files, and how long a browser may keep them
    assets       these files in memory, compressed, addressed by a hash; they are in static/
    previews     what a link to the page shows where it is posted
    embedding    a board for the pages of other sites
"""
