"""Files of the user's own: what each kind of file says, and what is wrong with a bad one."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from misstep.analyse.rows.questions import Columns, Selection, read_questions
from misstep.core.errors import BadInput
from misstep.core.questions import Part

Write = Callable[..., Path]
PIXEL = "data:image/png;base64,iVBORw0KGgo="


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(content: str | bytes | list[object], name: str = "rows.csv") -> Path:
        path = tmp_path / name
        if isinstance(content, list):
            content = "".join(json.dumps(line) + "\n" for line in content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def read(
    path: Path, limit: int | None = None, seed: int = 0, **columns: Any
) -> Selection:  # Any: fields of `Columns`
    return read_questions(path, Columns(**columns), limit, seed)


def refused(path: Path, **columns: Any) -> str:  # Any: fields of `Columns`
    with pytest.raises(BadInput) as told:
        read(path, **columns)
    message = str(told.value)
    assert "\n" not in message
    return message


def test_the_three_kinds_of_file_say_the_same(write: Write, tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": "a", "question": "2 + 3?", "answer": "5", "topic": "sum"},
        {"id": "b", "question": "7 - 4?", "answer": "3", "topic": "rest"},
    ]
    table = write("id,question,answer,topic\na,2 + 3?,5,sum\nb,7 - 4?,3,rest\n")
    lines = write(rows, "rows.jsonl")
    parquet = tmp_path / "rows.parquet"
    pl.DataFrame(rows).write_parquet(parquet)
    found = [read(path) for path in (table, lines, parquet)]
    plain = [
        [(q.id, q.group, q.messages, q.answer, dict(q.factors)) for q in one.questions]
        for one in found
    ]
    assert plain[0] == plain[1] == plain[2]
    assert len({one.digest for one in found}) == 1
    assert dict(plain[0][0][4]) in ({"topic": "sum"}, {"topic": "rest"})


def test_columns_are_chosen_by_name_and_the_rest_are_factors(write: Write) -> None:
    path = write("nr;wording;gold;team;length\n1;A?;x;red;3\n2;B?;y;red;4\n")
    found = read(path, id="nr", question="wording", answer="gold", group="team")
    assert found.groups == 1
    assert [(q.id, q.group, q.answer) for q in found.questions] == [
        ("1", "red", "x"),
        ("2", "red", "y"),
    ]
    assert found.questions[0].factors == {"length": "3"}
    assert found.questions[0].columns["gold"] == "x"


def test_without_ids_a_row_is_named_by_what_it_asks(write: Write) -> None:
    first = read(write("question,answer\nA?,x\nB?,y\n"))
    other = read(write("question,answer,note\nB?,z,1\nA?,x,2\n"))
    assert {q.id for q in first.questions} == {q.id for q in other.questions}


def test_a_new_answer_does_not_change_what_is_asked(write: Write) -> None:
    first = read(write("question,answer\nA?,x\nB?,y\n"))
    other = read(write("question,answer\nA?,z\nB?,y\n"))
    third = read(write("question,answer\nA!,z\nB?,y\n"))
    assert first.digest == other.digest != third.digest


def test_choices_stand_below_the_question(write: Write) -> None:
    path = write("question,answer,choices\nBest?,B,red|green\n")
    (question,) = read(path).questions
    assert question.choices == ("red", "green")
    assert question.messages[0].text == "Best?\nA) red\nB) green"


def test_a_limit_takes_whole_groups_in_the_order_of_the_seed(write: Write) -> None:
    rows = [f"{g}{n}?,x,{g}" for n in range(3) for g in "abcdefgh"]
    path = write("question,answer,group\n" + "\n".join(rows) + "\n")
    few, more, all_of_them = read(path, 7), read(path, 12), read(path)
    asked = [question.id for question in all_of_them.questions]
    assert len(few.questions) == 6
    assert [question.id for question in few.questions] == asked[:6]
    assert [question.id for question in more.questions] == asked[:12]
    assert [question.id for question in read(path, seed=1).questions] != asked
    assert (few.rows, few.groups) == (24, 8)


def test_more_rows_do_not_mix_up_the_order_of_those_before(write: Write) -> None:
    before = [q.id for q in read(write("question,answer\nA,x\nB,x\nC,x\n")).questions]
    after = [q.id for q in read(write("question,answer\nA,x\nB,x\nC,x\nD,x\nE,x\n")).questions]
    assert [one for one in after if one in before] == before


def test_message_lists_keep_roles_pictures_tools_and_schema(write: Write, tmp_path: Path) -> None:
    (tmp_path / "dot.png").write_bytes(b"\x89PNG")
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": '{"a": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "ok"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "And this?"},
                {"type": "image_url", "image_url": {"url": PIXEL}},
                {"type": "image_url", "image_url": "dot.png"},
            ],
        },
    ]
    row: dict[str, object] = {"messages": messages, "answer": {"a": 1}}
    row["tools"] = [
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    ]
    row["tool_results"] = {"f": {"b": 2}}
    row["response_format"] = {
        "type": "json_schema",
        "json_schema": {"name": "n", "schema": {"type": "object"}},
    }
    (question,) = read(write([row], "rows.jsonl")).questions
    assert [message.role for message in question.messages] == [
        "system", "user", "assistant", "tool", "user",
    ]  # fmt: skip
    assert question.messages[2].calls[0].arguments == {"a": 1}
    assert question.messages[4].parts == (
        Part(text="And this?"),
        Part(image=PIXEL),
        Part(image=str(tmp_path / "dot.png")),
    )
    assert question.results == {"f": '{"b": 2}'}
    assert question.schema == {"type": "object"}
    assert question.answer == {"a": 1}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("question,solution\nA?,x\n", "no column of answers (answer, target); --answer COL"),
        ("text,answer\nA?,x\n", "no column of questions"),
        ("question,answer\nA?,x\n ,y\n", "line 3: question: is empty"),
        ("question,answer\nA?,x\nB?,\n", "line 3: answer: is empty"),
        ("id,question,answer\na,A?,x\na,B?,y\n", "line 3: id: 'a' is also that of line 2"),
        ("question,answer\nA?,x\nA?,y\n", "line 3: question: asks the same as line 2"),
        ("question,answer\nA?,x,z\n", "line 2: has 3 cells, and the first line 2"),
        ("question,question\nA?,x\n", "line 1: two columns are named 'question'"),
        ("question,answer\n", "holds no row"),
        ("", "holds no row"),
        (b"question,answer\nA?,x\nB\xe4r?,y\n", "line 3: is no UTF-8 text (byte 1)"),
        ('question,answer\n"A?,x\n', "is no line of a .csv file"),
        ("question,answer,group\nA?,x,\n", "line 2: group: '' is no name"),
        ("question,answer,choices\nA?,x,one\n", "line 2: choices: ['one'] is no list of 2 to 26"),
        ("question,answer,schema\nA?,x,{\n", "line 2: schema: is no JSON"),
    ],
)
def test_a_bad_table_is_told_in_one_line(write: Write, content: str, said: str) -> None:
    assert said in refused(write(content))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([1], "line 1: is no JSON object"),
        ({"messages": [], "answer": "x"}, "messages: is [], and should be a list of messages"),
        ({"messages": [{"role": "boss", "content": "x"}], "answer": "x"}, "role: 'boss' is none"),
        (
            {"messages": [{"role": "assistant", "content": "x"}], "answer": "x"},
            "the last message is of 'assistant'",
        ),
        ({"messages": [{"role": "user", "content": " "}], "answer": "x"}, "content: is empty"),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "image_url", "image_url": "https://x.org/a.png"}],
                    }
                ],
                "answer": "x",
            },
            "nothing is downloaded",
        ),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "image_url", "image_url": "no.png"}]}
                ],
                "answer": "x",
            },
            "'no.png': no such file",
        ),
        (
            {"question": "A?", "answer": "x", "schema": {"type": "thing"}},
            "schema: is no JSON schema",
        ),
        ({"question": "A?", "answer": "x", "schema": [1]}, "should be a JSON schema"),
        ({"question": "A?", "answer": "x", "tools": [{"name": 1}]}, "is no function with a name"),
        (
            {"question": "A?", "answer": "x", "tool_results": {"f": 1}},
            "tool_results: 'f' is no tool of the row",
        ),
        ({"question": {"a": 1}, "answer": "x"}, "question: is an object"),
    ],
)
def test_a_bad_line_is_told_in_one_line(write: Write, row: object, said: str) -> None:
    assert said in refused(write([row], "rows.jsonl"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"question": "A?", "answer": 1}\n{oops\n', "line 2: is no JSON"),
        ('{"question": "A?", "answer": NaN}\n', "NaN is no number"),
        (b'{"question": "\xff", "answer": 1}\n', "line 1: is no UTF-8 text"),
    ],
)
def test_a_line_that_is_no_json_is_told(write: Write, content: str | bytes, said: str) -> None:
    assert said in refused(write(content, "rows.jsonl"))


def test_a_file_of_another_kind_a_folder_and_a_missing_one_are_told(
    write: Write, tmp_path: Path
) -> None:
    assert "ends in none of .csv, .jsonl, .parquet" in refused(write("x", "rows.xlsx"))
    assert "No such file" in refused(tmp_path / "none.csv")
    assert "is no Parquet file" in refused(write("x", "rows.parquet"))
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in refused(tmp_path / "folder.csv")


def test_a_column_that_is_not_there_names_the_nearest(write: Write) -> None:
    path = write("question,answer,topic\nA?,x,t\n")
    assert "did you mean 'topic'?" in refused(path, group="topics")
    assert "the file has: 'question'" in refused(path, id="zzz")


def test_the_last_row_is_checked_even_where_the_limit_is_far_above_it(write: Write) -> None:
    rows = "".join(f"Q{n}?,x\n" for n in range(50))
    path = write(f"question,answer\n{rows}last?,\n")
    with pytest.raises(BadInput, match="line 52: answer: is empty"):
        read(path, 2)


def test_a_limit_below_the_first_group_names_the_giant(write: Write) -> None:
    path = write("question,answer,group\nA?,x,g\nB?,x,g\nC?,x,g\n")
    with pytest.raises(BadInput, match="'g', has 3 items"):
        read(path, 2)


def test_a_long_file_is_never_in_memory_whole(write: Write) -> None:
    words = "word " * 400
    path = write("question,answer\n" + "".join(f"{n} {words},x\n" for n in range(5_000)))
    tracemalloc.start()
    found = read(path, 5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found.rows, len(found.questions)) == (5_000, 5)
    assert path.stat().st_size > 9_000_000
    assert peak < 3_500_000


def test_a_column_that_only_later_lines_have_is_seen(write: Write) -> None:
    lines: list[object] = [
        {"question": "a", "answer": "5"},
        {"question": "b", "answer": "5", "group": "g"},
    ]
    path = write(lines, "rows.jsonl")
    assert refused(path) == f"{path}: line 1: group: None is no name"
    answers: list[object] = [{"question": "a"}, {"question": "b", "answer": "5"}]
    later = read(write(answers, "later.jsonl"), needs_answer=False)
    assert sorted((q.messages[0].text, q.answer) for q in later.questions) == [
        ("a", None),
        ("b", "5"),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"question": "a\\ud800", "answer": "5"}', "is half of a sign"),
        ('{"question": "a", "answer": "5", "\\udfff": 1}', "is half of a sign"),
        ('{"question": "a", "answer": 1e999}', "1e999 is too large a number"),
    ],
)
def test_what_could_not_be_sent_or_written_down_is_refused(
    write: Write, content: str, said: str
) -> None:
    assert f"line 1: is no JSON: {said}" in refused(write(content, "rows.jsonl")).replace(
        "'\\ud800' ", ""
    ).replace("'\\udfff' ", "")


def test_an_absent_number_of_a_parquet_file_is_no_level_that_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    nan, inf = float("nan"), float("inf")
    pl.DataFrame({"question": ["a", "b"], "answer": ["1", "2"], "size": [nan, inf]}).write_parquet(
        path
    )
    sizes = {q.messages[0].text: q.factors["size"] for q in read(path).questions}
    assert sizes == {"a": None, "b": "inf"}


def test_a_name_that_no_file_system_takes_is_told(write: Write, tmp_path: Path) -> None:
    assert "File name too long" in refused(tmp_path / f"{'a' * 300}.csv")
    picture = {"type": "image_url", "image_url": {"url": "a" * 5_000}}
    row = {"messages": [{"role": "user", "content": [picture]}], "answer": "5"}
    assert "no such file" in refused(write([row], "rows.jsonl"))
