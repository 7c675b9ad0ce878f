"""A study served within this process, by default with its real pages, for browsers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import uvicorn

from misstep.study.course.nouns import Study
from misstep.study.pages.assets import Assets, assets
from misstep.study.server.application import application, utc_ms
from misstep.study.store.opening import open_store

DESK = "d" * 43


@contextmanager
def served_in_thread(study: Study, database: Path, page: Assets | None = None) -> Iterator[str]:
    """The address of its page."""
    store = open_store(str(database), study, utc_ms(), lambda _line: None)
    app = application(study, store, page or assets(), DESK)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()
