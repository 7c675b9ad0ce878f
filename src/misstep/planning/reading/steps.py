"""One line's text → the steps it says, in plain words or in PDDL style."""

from __future__ import annotations

import re
from collections.abc import Sequence

from misstep.planning.model import Step
from misstep.planning.reading.lexicon import Lexicon, Pattern, squeeze
from misstep.planning.reading.vocabulary import anywhere, at_start
from misstep.planning.reading.whole import ARTICLES
from misstep.planning.reading.words import Said, WordReader

_TITLE = re.compile(
    r"\s*(?:\w+\s+){0,3}(?:plan|sequence|answer|solution|actions|steps)\s*[:=]\s*[\[{]*",
    re.IGNORECASE,
)
_FORM = re.compile(r"\(\s*([^()]*?)\s*\)")


def read_steps(text: str, lexicon: Lexicon, *, due: bool) -> Said:
    """`due`: the line stands where a step is expected, so that other wordings count too."""
    title = _TITLE.match(text)
    text = text[title.end() :] if title else text
    if (forms := _read_forms(text, lexicon, due=due)) is not None:
        return forms
    start = _skip_openers(text, due=due)
    said = WordReader(text[start:], lexicon, due=due).read()
    return _prefer_form(text, said, lexicon) if "(" in text else said


def _skip_openers(text: str, *, due: bool) -> int:
    start = 0
    for _ in range(4):
        found = at_start("openers").match(text, start)
        if found is None and due:
            found = at_start("speakers").match(text, start)
        if found is None or found.end() == start:
            break
        start = found.end()
    return start


# PDDL style


def _read_forms(text: str, lexicon: Lexicon, *, due: bool) -> Said | None:
    """A line that begins with "(": its forms, or None where it is no PDDL."""
    body = text.lstrip("'\"[, ")
    if not body.startswith("("):
        return None
    body = body.split(";", maxsplit=1)[0]
    steps: list[Step] = []
    unknown = False
    for form in _FORM.finditer(body):
        step, known = _form_step(form[1], lexicon)
        if step is None:
            continue
        unknown |= not known
        steps.append(step)
    if not steps:
        return Said(cut=True) if due and _is_cut_form(body, lexicon) else None
    tail = body[body.rfind(")") + 1 :]
    if anywhere("undone").search(tail.lower()) or at_start("sentence").match(tail):
        return Said(denied=True)
    cut = body.count("(") > body.count(")") and body.rfind("(") > body.rfind(")")
    return Said(tuple(steps), cut=cut, unknown=unknown)


def _is_cut_form(body: str, lexicon: Lexicon) -> bool:
    """ "(stack a": an action's form that isn't closed."""
    words = re.match(r"\(\s*([\w-]*)", body)
    said = squeeze(words[1]) if words else ""
    return (
        bool(said) and ")" not in body and any(head.startswith(said) for head in lexicon.patterns)
    )


def _form_step(inner: str, lexicon: Lexicon) -> tuple[Step | None, bool]:
    """The step in "(…)"; whether its action is the domain's."""
    words = inner.replace(",", " ").lower().split()
    if not words or not re.fullmatch(r"[\w-]+", words[0]):
        return None, False
    for length in range(min(2, len(words)), 0, -1):
        group = lexicon.patterns.get(squeeze(" ".join(words[:length])))
        if group is None:
            continue
        rest = words[length:]
        if any(word in lexicon.joints or word in ARTICLES for word in rest):
            said = WordReader(inner, lexicon, due=True).read()
            return (said.steps[0], True) if said.steps else (None, False)
        named = tuple(lexicon.object_named(word) or word for word in rest)
        return (_best(group, len(rest)).action, *named), True
    if words[0] in lexicon.predicates or words[0] in ("and", "not", "or", "forall", "exists"):
        return None, False
    named = tuple(found for word in words[1:] if (found := lexicon.object_named(word)))
    return ((words[0], *named) if words[1:] and len(named) == len(words) - 1 else None), False


def _best(group: Sequence[Pattern], size: int) -> Pattern:
    return min(group, key=lambda pattern: abs(pattern.arity - size))


def _prefer_form(text: str, said: Said, lexicon: Lexicon) -> Said:
    """ "Unstack blue: (unstack b a)" is one step, and the form is the exact one."""
    if len(said.steps) != 1 or len(said.steps[0]) > lexicon.arities[said.steps[0][0]]:
        return said
    for form in _FORM.finditer(text):
        step, known = _form_step(form[1], lexicon)
        if (
            known
            and step is not None
            and step[0] == said.steps[0][0]
            and len(step) > len(said.steps[0])
        ):
            return Said((step,))
    return said
