"""What the runner's tests share: the oracle, and requests that ask it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from misstep.runner.run import Request
from oracle import FAMILY, ORACLE, Oracle


@pytest.fixture
def oracle() -> Oracle:
    ORACLE.reset()
    return ORACLE


@pytest.fixture
def request_for(tmp_path: Path) -> Callable[..., Request]:
    def make(*arms: str, **settings: Any) -> Request:  # Any: the request's own fields
        asked: Sequence[str] = arms or ("direct", "cot")
        made: dict[str, Any] = {
            "family": FAMILY,
            "model": "oracle/x",
            "arms": tuple(asked),
        }  # Any: likewise
        return Request(**(made | {"log_dir": tmp_path / "logs"} | settings))

    return make
