"""The command line as a user meets it: in a process of its own, by what it prints and returns."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import polars
import pytest

import misstep as package

COMMANDS = (
    "list",
    "models",
    "items",
    "show",
    "run",
    "merge",
    "compare",
    "report",
    "records",
    "regrade",
    "read",
    "check-paper",
    "check",
    "power",
    "cost",
)


def misstep(cwd: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return subprocess.run(
        [sys.executable, "-m", "misstep", *words],
        cwd=cwd,
        env={**clean, "COLUMNS": "80", **env},
        check=False,
        capture_output=True,
        text=True,
    )


def ok(cwd: Path, *words: str, **env: str) -> str:
    done = misstep(cwd, *words, **env)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a reference solver has run."""
    place = tmp_path_factory.mktemp("logs")
    ok(place, "run", "grammar", "--model", "ref/acs")
    return place


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(tmp_path: Path, command: str) -> None:
    text = ok(tmp_path, command, "--help")
    assert f"misstep {command}" in text


def test_help_imports_none_of_the_heavy_libraries(tmp_path: Path) -> None:
    script = (
        "import sys, misstep.cli; "
        "print([name for name in ('inspect_ai', 'numpy', 'scipy', 'polars', 'matplotlib', 'rich')"
        " if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


def test_list_names_families_arms_options_and_solvers(tmp_path: Path) -> None:
    text = ok(tmp_path, "list")
    assert all(word in text for word in ("grammar", "direct", "cot", "tot", "ref/automaton"))
    plain = json.loads(ok(tmp_path, "list", "--json"))
    assert plain["families"][0]["name"] == "grammar"
    assert [arm["name"] for arm in plain["families"][0]["arms"]][:2] == ["direct", "cot"]


def test_models_list_says_where_weights_come_from(tmp_path: Path) -> None:
    plain = json.loads(ok(tmp_path, "models", "list", "--json", MISSTEP_CACHE=str(tmp_path)))
    default = next(model for model in plain["models"] if model["default"])
    assert default["name"] == "embedded/qwen2.5-coder-1.5b"
    assert (default["bytes"], default["licence"]) == (1117320768, "Apache-2.0")
    assert default["state"] == "absent"


def test_items_are_lines_for_each_item_and_arm(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in ok(tmp_path, "items", "grammar").splitlines()]
    assert len(rows) == 48
    assert [row["arm"] for row in rows] == ["direct"] * 24 + ["cot"] * 24
    fields = {"id", "family", "version", "group", "arm", "prompt", "truth", "lure", "factors"}
    assert set(rows[0]) == fields


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_items_can_be_files_with_the_same_content(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"items.{ending}"
    ok(tmp_path, "items", "grammar", "--arm", "direct", "--out", str(out))
    if ending == "jsonl":
        prompts = [json.loads(line)["prompt"] for line in out.read_text().splitlines()]
    elif ending == "csv":
        with out.open(newline="") as file:
            prompts = [row["prompt"] for row in csv.DictReader(file)]
    else:
        prompts = polars.read_parquet(out)["prompt"].to_list()
    printed = ok(tmp_path, "items", "grammar", "--arm", "direct").splitlines()
    assert prompts == [json.loads(line)["prompt"] for line in printed]


def test_show_prints_the_words_and_keeps_the_answer_apart(tmp_path: Path) -> None:
    words, footer = ok(tmp_path, "show", "grammar", "--item", "grammar-0-003-17").split("\n---\n")
    assert "Does the following string also follow the same set of rules?" in words
    assert "grammar-0-003-17" in footer
    assert "right: " in footer


def test_run_prints_each_arm_the_comparison_and_what_next(tmp_path: Path) -> None:
    text = ok(tmp_path, "run", "grammar", "--model", "ref/length")
    assert "direct: " in text
    assert "cot: " in text
    assert max(map(len, text.splitlines())) <= 80 or "logs/" in text


def test_run_json_prints_nothing_but_json_on_standard_output(tmp_path: Path) -> None:
    plain = json.loads(ok(tmp_path, "run", "grammar", "--model", "ref/acs", "--json"))
    (one,) = plain["comparisons"]
    assert (one["family"], one["who"], one["n"], one["groups"]) == ("grammar", "ref/acs", 24, 12)
    assert {"effect", "interval", "p", "paper_p", "verdict"} <= set(one)


def test_one_arm_alone_is_shown_without_a_comparison(tmp_path: Path) -> None:
    text = ok(tmp_path, "run", "grammar", "--model", "ref/acs", "--arms", "direct")
    assert "direct" in text
    plain = json.loads(ok(tmp_path, "compare", "logs", "--json"))
    assert plain["comparisons"] == []
    assert [arm["arm"] for arm in plain["arms"]] == ["direct"]


def test_compare_takes_a_folder_of_runs_a_run_or_a_log(logs: Path) -> None:
    (folder,) = (logs / "logs").iterdir()
    (log,) = folder.glob("*.eval")
    printed = {ok(logs, "compare", str(place), "--json") for place in ("logs", folder, log)}
    assert len(printed) == 1


def test_compare_by_a_factor_has_a_line_for_each_level(logs: Path) -> None:
    plain = json.loads(ok(logs, "compare", "logs", "--by", "grammatical", "--json"))
    assert {one["level"] for one in plain["comparisons"]} == {None, "yes", "no"}


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv"])
def test_report_writes_by_the_ending_and_says_where(logs: Path, ending: str) -> None:
    text = ok(logs, "report", "logs", "--out", f"report.{ending}")
    out = logs / f"report.{ending}"
    assert str(out) in text
    assert "acs" in out.read_text()


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_records_are_a_table_that_compare_takes(logs: Path, ending: str) -> None:
    ok(logs, "records", "logs", "--out", f"records.{ending}")
    read = polars.read_parquet if ending == "parquet" else polars.read_csv
    frame = read(logs / f"records.{ending}")
    assert len(frame) == 48
    (one,) = package.compare(frame)
    printed = json.loads(ok(logs, "compare", "logs", "--json"))["comparisons"]
    assert (one.effect, one.p, one.n) == tuple(printed[0][name] for name in ("effect", "p", "n"))


def test_regrade_changes_nothing_under_the_same_rules(logs: Path) -> None:
    text = ok(logs, "regrade", "logs")
    assert "0 of 48 grades changed" in text


def test_read_gives_the_same_lines_with_what_was_read(tmp_path: Path) -> None:
    lines = [
        {"id": 7, "vocabulary": "yes_no", "reply": "I think **Yes**."},
        {"vocabulary": ["plan", "no plan"], "reply": "Answer: no plan"},
        {"vocabulary": "abcd", "reply": "It could be", "stop_reason": "max_tokens"},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    rows = [json.loads(line) for line in ok(tmp_path, "read", str(path)).splitlines()]
    assert [row["outcome"] for row in rows] == ["answered", "answered", "truncated"]
    assert [row["answer"] for row in rows] == ["Yes", "no plan", None]
    assert rows[0]["id"] == 7
    start, end = rows[0]["span"]
    assert rows[0]["reply"][start:end] == "Yes"


WRONG: tuple[tuple[tuple[str, ...], str], ...] = (
    (("run", "nothing"), "unknown family 'nothing'"),
    (("items", "nothing"), "unknown family 'nothing'"),
    (("run", "grammar", "--model", "gpt"), "--model: 'gpt' should be PROVIDER/MODEL"),
    (("run", "grammar", "--model", "nobody/x"), "--model: nobody/x"),
    (("run", "grammar", "--model", "ref/genius"), "no solver 'ref/genius'"),
    (("run", "grammar", "--model", "openai/gpt-4o"), "--model: openai/gpt-4o"),
    (("run", "grammar", "--model", "ref/acs", "--arms", "speech"), "unknown arm 'speech'"),
    (("run", "grammar", "--model", "ref/acs", "--arms", ","), "--arms"),
    (("run", "grammar", "--model", "ref/acs", "--limit", "1"), "--limit: 1 is below one group"),
    (("run", "grammar", "--model", "ref/acs", "--scale", "vast"), "--scale"),
    (("run", "grammar", "--model", "ref/acs", "-T", "colour=red"), "-T colour"),
    (("run", "grammar", "--model", "ref/acs", "-T", "negatives=some"), "-T negatives: 'some'"),
    (("run", "grammar", "--model", "ref/acs", "-T", "deterministic"), "-T: 'deterministic'"),
    (("run", "grammar", "--model", "ref/acs", "--repeat", "0"), "--repeat: 0"),
    (("run", "grammar", "--model", "embedded/none"), "--model: embedded/none"),
    (("run", "grammar", "--model", "embedded/smollm2-135m"), "misstep models get smollm2-135m"),
    (("run", "grammar", "--model", "embedded/./x.gguf"), "x.gguf"),
    (("run", "grammar", "--colour"), "--colour"),
    (("models", "get", "nothing"), "nothing"),
    (("models", "rm", "nothing"), "nothing"),
    (("show", "grammar", "--item", "grammar-0-9999-00"), "--item"),
    (("items", "grammar", "--out", "items.xls"), "--out: items.xls"),
    (("items", "grammar", "--out", "nowhere/items.csv"), "--out: nowhere/items.csv"),
    (("compare", "nowhere"), "nowhere"),
    (("compare", "empty"), "empty"),
    (("compare", "damaged.eval"), "damaged.eval"),
    (("report", "nowhere"), "nowhere"),
    (("run", "grammar", "--model", "ref/acs", "--model", "ref/acs"), "--model: 'ref/acs' is named"),
    (("run", "grammar", "grammar", "--model", "ref/acs"), "FAMILY: 'grammar' is named twice"),
    (("run", "grammar", "--model", "ref/acs", "--model", "nobody/x"), "--model: nobody/x"),
    (("items", "grammar", "--arm", "speech"), "--arm: unknown arm 'speech'"),
    (("items", "grammar", "--seed", "9" * 5000), "--seed"),
    (("items", "grammar", "--format", "chat"), "--out: --format chat writes two files"),
    (("items", "grammar", "--format", "chat", "--out", "x.csv"), "--out: x.csv: --format chat"),
    (("items", "grammar", "--format", "chat", "--out", "nowhere/x.jsonl"), "--out: nowhere/x"),
    (("items", "grammar", "--format", "talk"), "--format"),
    (("items", "grammar", "--test-share", "0.5"), "--test-share: is for --format chat only"),
    (
        ("items", "grammar", "--format", "chat", "--out", "x.jsonl", "--test-share", "1.5"),
        "--test-share: 1.5 is not between 0 and 1",
    ),
    (
        ("items", "grammar", "--format", "chat", "--out", "x.jsonl", "--test-share", "nan"),
        "--test-share: nan is not between 0 and 1",
    ),
    (("report", "empty", "--out", "page.pdf"), "--out: 'page.pdf'"),
    (("regrade", "damaged.eval"), "damaged.eval"),
    (("read", "nowhere.jsonl"), "nowhere.jsonl"),
    (("read", "strange.jsonl"), "strange.jsonl"),
)


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_use_is_one_line_and_exit_code_two(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged.eval").write_bytes(b"PK\x03\x04 half a log")
    (tmp_path / "x.gguf").write_bytes(b"not a model")
    (tmp_path / "strange.jsonl").write_text('{"vocabulary": "klingon", "reply": "x"}\n')
    done = misstep(tmp_path, *words, MISSTEP_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("misstep: ")
    assert said in done.stderr
    assert not (tmp_path / "logs").exists()


def test_no_command_prints_the_help_as_it_is_and_is_wrong_use(tmp_path: Path) -> None:
    for words in ((), ("models",)):
        done = misstep(tmp_path, *words)
        assert done.returncode == 2
        assert "\nCommands:\n" in done.stderr


def test_a_message_stays_short_whatever_it_quotes(tmp_path: Path) -> None:
    assert len(misstep(tmp_path, "items", "grammar", "--seed", "9" * 5000).stderr) < 1_100


@pytest.mark.parametrize("out", ["nowhere/page.html", "folder.html"])
def test_a_page_that_cannot_be_written_is_one_line(logs: Path, out: str) -> None:
    (logs / "folder.html").mkdir(exist_ok=True)
    done = misstep(logs, "report", "logs", "--out", out)
    assert done.returncode == 2
    assert done.stderr.startswith(f"misstep: --out: {out}: ")
    assert len(done.stderr.splitlines()) == 1


def test_half_a_surrogate_pair_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    line = json.dumps({"vocabulary": "yes_no", "reply": "\ud800 Yes"})
    path.write_text(f"\ufeff{line}\n", encoding="utf-8")
    row = json.loads(ok(tmp_path, "read", str(path)))
    assert (row["answer"], row["reply"]) == ("Yes", "\ud800 Yes")


def test_a_log_of_another_task_is_named(tmp_path: Path) -> None:
    script = (
        "from inspect_ai import Task, eval\nfrom inspect_ai.dataset import Sample\n"
        "eval(Task(dataset=[Sample(input='x', target='y')], name='other'), model='none/none',"
        " solver=[], log_dir='theirs', display='none')"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, capture_output=True)
    done = misstep(tmp_path, "compare", "theirs")
    assert done.returncode == 2
    assert "a log of the task" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    words = f"{sys.executable} -m misstep items grammar --scale paper | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {words}"], cwd=tmp_path, check=False, capture_output=True
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""
