"""Serving the page for labels to this machine alone."""

from __future__ import annotations

from collections.abc import Callable

from misstep.study.labelling.application import application
from misstep.study.labelling.session import Session
from misstep.study.local.hosting import serve_page


def serve(session: Session, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page until who labels finishes, as `serve_page` does."""
    serve_page(lambda token, finish: application(session, token, finish), port, ready)
