"""Which of two logs of one run folder is the later one."""

from __future__ import annotations

import os
from pathlib import Path

from misstep.runner.logged.logs import log_files


def made(folder: Path, name: str, closed: int) -> Path:
    path = folder / name
    path.write_bytes(b"")
    os.utime(path, ns=(closed, closed))
    return path


def test_of_logs_begun_in_one_second_the_one_closed_later_is_the_later(tmp_path: Path) -> None:
    late = made(tmp_path, "2026-01-01T10-00-00-00-00_grammar_AAAA.eval", 2_000)
    early = made(tmp_path, "2026-01-01T10-00-00-00-00_grammar_ZZZZ.eval", 1_000)
    assert log_files([tmp_path]) == [early, late]


def test_the_time_in_the_name_goes_before_the_file_system_s(tmp_path: Path) -> None:
    early = made(tmp_path, "2026-01-01T10-00-00-00-00_grammar_ZZZZ.eval", 2_000)
    late = made(tmp_path, "2026-01-01T10-00-01-00-00_grammar_AAAA.eval", 1_000)
    assert log_files([tmp_path]) == [early, late]
