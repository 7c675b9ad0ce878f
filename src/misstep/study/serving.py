"""Serving the page for labels to this machine alone."""

from __future__ import annotations

from collections.abc import Callable

from misstep.study.hosting import serve_page
from misstep.study.labelling import application
from misstep.study.session import Session


def serve(session: Session, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page until who labels finishes, as `serve_page` does."""
    serve_page(lambda token, finish: application(session, token, finish), port, ready)
