"""Writes a wording as a wording.toml; reading gives the same wording again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from misstep.planning.wording.loading import SCHEMA
from misstep.planning.wording.nouns import ActionWording, FactWording, Kind, NameRule, Wording


def write_wording(wording: Wording) -> str:
    """English wordings only: the PDDL style is made from the domain and has no file."""
    blocks = [
        [f"schema = {SCHEMA}", f"title = {_text(wording.title)}", *_introduction(wording)],
        _generator(wording),
        _cost(wording),
        *(_kind(kind) for kind in wording.kinds.values()),
        *(_fact(name, fact) for name, fact in wording.facts.items()),
        *(
            [f"[functions.{_key(name)}]", f"say = {_text(template.text)}"]
            for name, template in wording.functions.items()
        ),
        *(_action(name, action) for name, action in wording.actions.items()),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _introduction(wording: Wording) -> list[str]:
    if not wording.introduction:
        return ['introduction = ""']
    escaped = wording.introduction.replace("\\", "\\\\").replace('"', '\\"')
    return [f'introduction = """\n{escaped}\n"""']


def _generator(wording: Wording) -> list[str]:
    if not wording.generator:
        return []
    lines = [f"{_key(key)} = {json.dumps(value)}" for key, value in wording.generator.items()]
    return ["[generator]", *lines]


def _cost(wording: Wording) -> list[str]:
    singular, plural = wording.cost_unit
    if not singular:
        return []
    return ["[cost]", f"singular = {_text(singular)}", f"plural = {_text(plural)}"]


def _kind(kind: Kind) -> list[str]:
    head = f"[types.{_key(kind.name)}]"
    lines = [head]
    if kind.predicate is not None:
        lines.append(f"predicate = {_text(kind.predicate)}")
    lines += [f"singular = {_text(kind.singular)}", f"plural = {_text(kind.plural)}"]
    lines += [f"say = {_text(kind.say)}"] if kind.say else []
    if kind.names:
        lines += ["names = [", *(f"  {_rule(rule)}," for rule in kind.names), "]"]
    if kind.words:
        words = [f"{_key(name)} = {_text(word)}" for name, word in kind.words.items()]
        lines += ["", f"[types.{_key(kind.name)}.words]", *words]
    return lines


def _rule(rule: NameRule) -> str:
    read = f", read = {_texts(rule.read)}" if rule.read else ""
    return f"{{ match = {_text(rule.match)}, say = {_text(rule.say)}{read} }}"


def _fact(name: str, fact: FactWording) -> list[str]:
    lines = [f"[predicates.{_key(name)}]", f"fact = {_text(fact.say.text)}"]
    lines.append(f"not = {_text(fact.denial.text)}")
    lines += [f"read = {_texts(each.text for each in fact.read)}"] if fact.read else []
    return [*lines, "silent = true"] if fact.silent else lines


def _action(name: str, action: ActionWording) -> list[str]:
    lines = [f"[actions.{_key(name)}]", f"say = {_text(action.say.text)}"]
    return [*lines, f"read = {_texts(each.text for each in action.read)}"] if action.read else lines


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else _text(name)


def _texts(texts: Iterable[str]) -> str:
    return f"[{', '.join(_text(text) for text in texts)}]"


def _text(text: str) -> str:
    """JSON's strings are TOML's basic strings, the character DEL apart, which has no place here."""
    return json.dumps(text, ensure_ascii=False)
