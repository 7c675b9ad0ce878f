"""The texts of a study: the defaults, its words, and Markdown as HTML that is safe to show."""

from __future__ import annotations

from markdown_it import MarkdownIt

from misstep.study.course.nouns import Study
from misstep.study.pages.words.own import english
from misstep.study.screens import Part

CONSENT = """\
# Taking part

You are invited to take part in a study of how people judge and reason. Taking part is voluntary.
You may stop at any time, without giving a reason, with the button *Leave the study*.

**What you will do.** You read instructions, answer a few questions about them, and then work
through a number of short tasks. The bar at the top shows how far you are.

**What is recorded.** Your answers, the time they take, and what you write. The page also records
signs that a machine or another person may be helping: when you leave the page, when you paste
text or copy it, and the rhythm in which text appears (never single keystrokes). Such signs are
looked at by a person; nobody is excluded by them alone. Please answer without help.

**What is not recorded.** Your name and your network address are not stored. If a recruiting
service sent you, its code for you is stored, so that you can be paid, and is kept apart from
what is published.

**Your rights.** You may ask for your answers to be deleted, with your number in this study, which
you see at the end.
"""

WELCOME = """\
# Welcome

Please sit somewhere quiet, and keep this page open until the end. If your connection is lost or
the page is closed, open the same link again in the same browser: you go on where you were.
"""

DEBRIEFING = """\
# Thank you

That was the last task. This study compares ways of answering the same questions: at once, or after
some thought. The same questions are given to computer models, and the answers are compared.

If you have questions, or wish your answers to be deleted, write to those who invited you.
"""

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def rendered(markdown: str) -> Part:
    """As HTML; what is HTML in the text itself is shown as text, and images are not loaded."""
    return Part("html", _MARKDOWN.render(markdown))


def said(study: Study, key: str, **values: str) -> str:
    """One of the study's words, or the English one, with the values in place of their {names}."""
    words = study.texts.words.get(key, english()[key])
    for name, value in values.items():
        words = words.replace(f"{{{name}}}", value)
    return words
