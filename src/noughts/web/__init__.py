"""The page and the HTTP API: `noughts.web.app.create_app` makes the server's application."""
