"""The price file: what it says, and what is wrong with it, in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.core.prices import read_prices

WHOLE = """schema = 1
currency = "USD"
date = 2026-11-30
source = "an example"

[models."example/large"]
input = 2.0
output = 8
"""


def write(folder: Path, text: str, name: str = "prices.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_what_a_model_leaves_out_is_its_input_or_output_price(tmp_path: Path) -> None:
    price = read_prices(write(tmp_path, WHOLE)).of("example/large")
    assert price is not None
    assert (price.input, price.cached_input, price.cache_write) == (2.0, 2.0, 2.0)
    assert (price.output, price.reasoning) == (8.0, 8.0)
    assert (price.currency, price.date, price.source) == ("USD", "2026-11-30", "an example")


def test_a_model_may_have_a_date_and_source_of_its_own(tmp_path: Path) -> None:
    text = WHOLE + 'reasoning = 12.0\ndate = "2026-10-01"\nsource = "a contract"\n'
    price = read_prices(write(tmp_path, text)).of("example/large")
    assert price is not None
    assert (price.reasoning, price.date, price.source) == (12.0, "2026-10-01", "a contract")


def test_json_says_the_same(tmp_path: Path) -> None:
    model = {"input": 2.0, "output": 8}
    plain = {
        "schema": 1, "currency": "USD", "date": "2026-11-30", "source": "an example",
        "models": {"example/large": model},
    }  # fmt: skip
    path = write(tmp_path, json.dumps(plain), "prices.json")
    same = read_prices(write(tmp_path, WHOLE)).of("example/large")
    assert read_prices(path).of("example/large") == same


def test_names_are_taken_as_they_stand(tmp_path: Path) -> None:
    assert read_prices(write(tmp_path, WHOLE)).of("example/large-2") is None


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("schema = 1", "schema = 2", "schema: 2, this version reads 1"),
        ("schema = 1", "", "schema: None"),
        ("input = 2.0", "input = -1", "models.example/large: input: -1 is no price from 0 up"),
        ("input = 2.0", "input = nan", "input: nan is no price"),
        ("input = 2.0", "input = 1e300", "input: is above 1,000,000,000"),
        ("input = 2.0", "input = 1" + "0" * 400, "input: is above 1,000,000,000"),
        ('currency = "USD"', 'currency = "U\\u001b[31m"', "is no text of one line"),
        ("input = 2.0", "input = true", "input: True is no price"),
        ("input = 2.0", "", "input: is missing"),
        ("output = 8", "ouput = 8", "unknown field 'ouput'"),
        ("date = 2026-11-30", 'date = "soon"', "date: 'soon' is no date"),
        ("date = 2026-11-30", "", "date: is missing"),
        ("currency =", "curency =", "unknown field 'curency'"),
        ('currency = "USD"', "currency = 3", "currency: 3 is no text"),
        ('source = "an example"', "", "source: is missing"),
        ('[models."example/large"]', '["models example"', "no TOML"),
        ("output = 8", 'output = 8\n[models."b/c"]\ninput = 1\noutput = 1\ncurrency = "EUR"',
         "one currency, not EUR, USD"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    path = write(tmp_path, WHOLE.replace(before, after))
    with pytest.raises(BadInput) as refused:
        read_prices(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--prices: .*nowhere.toml: No such file"):
        read_prices(tmp_path / "nowhere.toml")


def test_a_file_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="models: names no model"):
        read_prices(write(tmp_path, "schema = 1\n"))
