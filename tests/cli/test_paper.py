"""`misstep check-paper` and `misstep report --paper` as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import misstep
from misstep.cli import cli
from misstep.core.errors import BadInput

DOCS = Path(__file__).parents[2] / "docs" / "paper-tables.md"


def call(*words: str, columns: str = "80") -> Result:
    return CliRunner(env={"COLUMNS": columns}).invoke(cli, words, catch_exceptions=False)


def test_check_paper_fits_80_columns_and_tells_every_fact() -> None:
    done = call("check-paper")
    assert done.exit_code == 0
    assert max(map(len, done.output.splitlines())) <= 80
    said = " ".join(done.output.split())
    for fact in ("25 printed p-values", "4 not reproduced", "94.00% of 440 is no count",
                 "No usual test gives what is printed", "It prints no p-values."):  # fmt: skip
        assert fact in said, fact


def test_check_paper_takes_one_table_and_prints_json() -> None:
    plain = json.loads(call("check-paper", "--table", "5", "--json").output)
    assert plain["schema"] == 1
    (table,) = plain["tables"]
    assert [p["status"] for p in table["p_values"]] == ["agrees"] * 3 + ["not reproduced"] * 2


def test_check_paper_refuses_a_table_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="--table: no paper has a Table 0"):
        call("check-paper", "--table", "0")


def test_the_documents_show_what_is_printed() -> None:
    text = DOCS.read_text(encoding="utf-8")
    shown = re.search(r"```\n\$ misstep check-paper --table 5\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    printed = call("check-paper", "--table", "5").output
    assert shown[1].split() == printed.split()


@pytest.mark.parametrize("words", [["--paper"], ["--paper-all"]])
def test_report_writes_the_tables_by_a_flag(tmp_path: Path, words: list[str]) -> None:
    misstep.run("grammar", "ref/acs", log_dir=tmp_path / "logs")
    out = tmp_path / "page.md"
    done = call("report", *words, str(tmp_path / "logs"), "--out", str(out))
    assert done.exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert "| **ref/acs (n = 24)** |" in text
    assert ("Mind Your Step, Table 5" in text) is (words == ["--paper-all"])
