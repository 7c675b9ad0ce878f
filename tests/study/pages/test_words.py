"""What the page says by itself, in a study's own words: in the file, in a browser, in the docs."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from misstep.core.errors import BadInput, MisstepError
from misstep.study import screens
from misstep.study.bundle.folder import page_files
from misstep.study.course.file import read_study
from misstep.study.course.nouns import Ending, Study
from misstep.study.freezing.changes import changes
from misstep.study.freezing.document import frozen
from misstep.study.pages.words.own import english, names_in
from misstep.study.robots.browsing import through_pages
from misstep.study.robots.crowd import Manner, Robot
from misstep.study.robots.mind import Mind, Places
from misstep.study.robots.walking import Pace
from misstep.study.trials.every import trial
from study_thread import served_in_thread

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src/misstep/study/pages/source"
BY_SERVER = {
    **dict.fromkeys(("agree", "disagree", "check_first", "check_again", "took_part"), ""),
    **dict.fromkeys((f"end_{one.value}" for one in Ending), ""),
    **dict.fromkeys(("full", "closed", "not_open", "not_known", "needs_script"), ""),
    "bonus": "amount",
    "number": "number",
}
"""Words that no script says, with what is put in them."""
FILE = """
schema = 1
title = "Gläser"
tries = 1
[[block]]
family = "cups"
items = 2
practice = 0
pool = 4
arms = ["direct", "deliberate"]
timing = {deliberate = 500}
"""
GERMAN = """
[texts]
language = "de"
[words]
agree = "Ja, ich nehme teil"
check_first = "Ist alles klar?"
end_complete = "Danke."
number = "Ihre Nummer: {number}"
part_consent = "Einwilligung"
part_instructions = "Anleitung"
part_trial = "Aufgabe"
of = "{done} von {total} erledigt"
next = "Weiter"
send = "Absenden"
withdraw = "Studie verlassen"
withdraw_title = "Studie verlassen?"
withdraw_text = "Das geht jederzeit."
withdraw_yes = "Ja, verlassen"
withdraw_no = "Nein, weiter"
unanswered = "Noch ohne Antwort: {numbers}."
write_first = "Bitte schreiben Sie zuerst etwas."
kept_here = "Was Sie schreiben, bleibt bis zum Absenden auf diesem Gerät."
left = "Noch {time}"
can_close = "Sie können diese Seite schließen."
code = "Ihr Code"
copy = "Code kopieren"
key_enter = "Eingabe ↵"
"""


def studied(folder: Path, more: str = "") -> Study:
    path = folder / "study.toml"
    path.write_text(FILE + more, encoding="utf-8")
    return read_study(path)


def test_a_person_walks_a_trial_with_german_words(visitor: Page, tmp_path: Path) -> None:
    with served_in_thread(studied(tmp_path, GERMAN), tmp_path / "s.db") as address:
        visitor.goto(address)
        expect(visitor.locator("header strong")).to_have_text("Einwilligung")
        assert visitor.locator("html").get_attribute("lang") == "de"
        visitor.get_by_role("button", name="Studie verlassen").click()
        expect(visitor.get_by_role("heading", name="Studie verlassen?")).to_be_visible()
        visitor.get_by_role("button", name="Nein, weiter").click()
        visitor.locator("article[data-ready]").get_by_role("button", name="Ja, ich nehme").click()
        on = visitor.locator('article[data-ready] [data-value="next"]')
        expect(on).to_have_text("WeiterEingabe ↵")
        assert on.get_attribute("lang") == "de"
        met = []
        while (part := answered(visitor)) != english()["part_end"]:
            met.append(part)
            assert len(met) < 20
        expect(visitor.get_by_text("Danke.")).to_be_visible()
        expect(visitor.get_by_text(re.compile("Ihre Nummer: [a-z0-9]{12}$"))).to_be_visible()
        expect(visitor.get_by_text("Sie können diese Seite schließen.")).to_be_visible()
        expect(visitor.get_by_role("button", name="Code kopieren")).to_be_visible()
    assert set(met) == {"Anleitung", "Check", "Aufgabe", "Debriefing"}


def answered(page: Page) -> str:
    """The part of the study that is answered; what it wants is said in German where it has none."""
    article = page.locator("article.screen[data-ready]")
    expect(article).to_be_visible()
    kind, shown = article.get_attribute("data-kind"), article.element_handle()
    part = page.locator("header strong").inner_text()
    if kind == "end":
        return part
    if kind == "check":
        expect(article).to_contain_text("Ist alles klar?")
        page.get_by_role("button", name="Absenden").click()
        expect(page.locator("#problem")).to_contain_text("Noch ohne Antwort: 1, 2")
        for one in trial("cups").checks:
            field = page.locator(f'fieldset[data-name="{one.question.name}"]')
            field.locator(f'input[value="{one.right}"]').check()
    if kind == "write":
        expect(page.locator("#hint")).to_contain_text("bleibt bis zum Absenden")
        expect(page.locator("header")).to_contain_text(re.compile("[01] von 2 erledigt"))
        send = page.get_by_role("button", name="Absenden")
        expect(send).not_to_have_attribute("aria-disabled", "true")
        send.click()
        expect(page.locator("#problem")).to_have_text("Bitte schreiben Sie zuerst etwas.")
        page.locator("textarea").fill("The wider glass spills later, as its water is lower.")
    article.locator(".actions button:not([aria-disabled=true])").first.click()
    shown.wait_for_element_state("hidden")
    return part


def test_a_robot_finds_the_way_out_whatever_it_is_called(browser: Browser, tmp_path: Path) -> None:
    study = studied(tmp_path, GERMAN)
    one = Robot(0, "robot-0", "", Manner.LEAVES, 0.5, 0)
    with served_in_thread(study, tmp_path / "s.db") as address:
        mind = Mind(Places(study), one)
        assert through_pages(browser, study, address, mind, one, Pace()).ending == "withdrawn"


def test_the_list_in_the_docs_is_that_of_the_code() -> None:
    page = (ROOT / "docs/study-words.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| `(.*)` \|$", page, flags=re.MULTILINE)
    assert dict(listed) == english()
    assert len(listed) == len(english())


def test_every_example_of_the_docs_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs/study-words.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "study.toml").write_text(example, encoding="utf-8")
    assert read_study(tmp_path / "study.toml").texts.words["next"] == "Weiter"


def test_the_page_says_every_word_and_puts_in_it_what_the_word_names() -> None:
    """Read in its source: the type checker knows the keys, and not the {names}."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.ts"))
    said = set(re.findall(r"\bWORDS\.(\w+)", text))
    said |= {key for key in english() if key.startswith("part_")}  # by the part of a step
    assert said | set(BY_SERVER) == set(english())
    put = dict(re.findall(r"fill\(WORDS\.(\w+), \{ ([^}]*) \}\)", text))
    put |= dict.fromkeys(re.findall(r"timed\(WORDS\.(\w+)\)", text), "time")
    put |= dict(re.findall(r"counted\(.*, WORDS\.(\w+), \{ ([^}]*) \}\)", text))
    put |= {"unanswered": "numbers", "unanswered_one": "number"}  # both values at both places
    put |= BY_SERVER
    for key, words in english().items():
        given = [one.partition(":")[0].strip() for one in put.get(key, "").split(", ")]
        assert names_in(words) == sorted(filter(None, given)), key


def test_no_sentence_and_no_label_stands_in_the_scripts_themselves() -> None:
    places = (path for path in SOURCE.rglob("*.ts") if path.parent.name != "checks")
    text = "\n".join(path.read_text(encoding="utf-8") for path in places)
    sample = "Because I think so."  # of a participant that is simulated
    assert re.findall(r"[\"`]([A-Z][a-z]* [a-zI][^\"`]*)[\"`]", text) == [sample]
    assert re.findall(r"\"aria-label\": [\"`].*", text) == []


def test_the_button_that_leads_on_is_one_and_the_same_everywhere() -> None:
    """screens.py names it for other clients; the page puts its own word on it."""
    (choice,) = screens.Page(()).choices
    assert choice.label == english()["next"]
    source = (SOURCE / "stage/choosing.ts").read_text(encoding="utf-8")
    assert f'const NEXT = "{choice.value}";' in source


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('nxt = "Weiter"', "words.nxt: is none of the page's words; did you mean 'next'?"),
        ('qqqq = "x"', "words.qqqq: is none of the page's words; docs/study-words.md lists all"),
        ('next = " "', "words.next: ' ' is blank or over 500 long"),
        ("next = 5", "words.next: '5': input should be a valid string"),
        ('next = "Weiter {time}"', "must hold nothing in braces, as in English"),
        ('of = "{done} von allen"', "must hold {done}, {total}, as in English"),
        (
            'of = "{getan} von {total}"',
            "words.of: '{getan} von {total}': must hold {done}, {total}",
        ),
    ],
)
def test_words_that_cannot_be_are_told_in_one_line(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        studied(tmp_path, f"[words]\n{line}\n")
    assert str(caught.value).startswith(f"{tmp_path / 'study.toml'}: words.")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_words_make_another_version_and_none_the_one_that_was(tmp_path: Path) -> None:
    plain, own = studied(tmp_path), studied(tmp_path, '[words]\nnext = "Weiter"\n')
    assert own.digest != plain.digest
    assert own.consent_digest == plain.consent_digest
    assert studied(tmp_path, '[words]\nnext = "Continue"\n').digest == plain.digest
    met = asdict(plain)
    for name in ("people", "links", "minutes", "keep_addresses", "exclusions", "digest"):
        del met[name]
    met["blocks"][0].pop("solver")
    met["texts"].pop("words")
    text = json.dumps(met, sort_keys=True)
    assert plain.digest == sha256(text.encode()).hexdigest()[:16]
    assert changes(frozen(plain), frozen(own))[0] == 'texts.words: none → {"next": "Weiter"}'


def test_a_study_without_a_server_has_its_words_too(tmp_path: Path) -> None:
    own = studied(
        tmp_path, '[words]\nnext = "\\"Weiter\\" <&"\nneeds_script = "JavaScript, bitte"\n'
    )
    try:
        page = page_files(own, "")["index.html"].decode()
    except MisstepError as error:
        pytest.skip(str(error))
    assert 'data-words="{&quot;next&quot;: &quot;\\&quot;Weiter\\&quot; &lt;&amp;&quot;' in page
    assert "<noscript><p>JavaScript, bitte</p></noscript>" in page
    assert "data-words" not in page_files(studied(tmp_path), "")["index.html"].decode()
