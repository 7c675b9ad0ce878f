"""The one HTML document on which a person takes part: no script or style inline."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from misstep.study.course.nouns import Study
from misstep.study.pages.assets import Assets
from misstep.study.pages.words.own import english

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy that the page needs, and no more."""
_RIGHT_TO_LEFT = ("ar", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi")


@dataclass(frozen=True)
class Facing:
    """What the document says of a study: `language` as a BCP 47 tag, the names of the URL
    parameters that tell who comes, and the study's own words for the page."""

    title: str
    language: str = "en"
    person: str = "PROLIFIC_PID"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"
    words: Mapping[str, str] = field(default_factory=dict)


def facing_of(study: Study) -> Facing:
    links, texts = study.links, study.texts
    names = links.person, links.study, links.session
    return Facing(study.title, texts.language, *names, texts.words)


def document(
    facing: Facing, assets: Assets, place: str = "assets/", before: Sequence[str] = ()
) -> str:
    """The page; `place` is where the files of `assets` are, as seen from the page, and `before`
    are scripts that are run before its own."""
    language = escape(facing.language)
    side = "rtl" if facing.language.split("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"
    names = " ".join(
        f'data-{what}="{escape(name)}"'
        for what, name in (
            ("person", facing.person),
            ("study", facing.study),
            ("session", facing.session),
        )
    )
    if facing.words:
        names += f' data-words="{escape(json.dumps(dict(facing.words), ensure_ascii=False))}"'
    without = {**english(), **facing.words}["needs_script"]
    scripts = "".join(f'<script src="{escape(one)}"></script>' for one in before)
    return (
        f'<!doctype html><html lang="{language}" dir="{side}" {names}><head>'
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">'
        f'<title>{escape(facing.title)}</title><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="{place}{escape(assets.style)}">'
        f'{scripts}<script defer src="{place}{escape(assets.script)}"></script></head><body>'
        f"<noscript><p>{escape(without)}</p></noscript></body></html>"
    )
