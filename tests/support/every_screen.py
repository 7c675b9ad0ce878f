"""One screen of each kind, as studies have them."""

from __future__ import annotations

from base64 import b64encode

from misstep.study.screens import (
    Ask,
    Check,
    CheckQuestion,
    Choice,
    End,
    GroundAction,
    NBack,
    Page,
    Part,
    Plan,
    Screen,
    Stream,
    Write,
)

_DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200">'
    b'<rect width="320" height="200" fill="#ddd"/><circle cx="160" cy="100" r="70" fill="#347"/>'
    b"</svg>"
)
PICTURE = Part(
    "picture", f"data:image/svg+xml;base64,{b64encode(_DRAWING).decode()}", "A disc on grey"
)
CONSENT = Part(
    "html",
    "<h1>Taking part</h1><p>You are invited to take part in a study of how people judge and "
    "reason. Taking part is <strong>voluntary</strong>. You may stop at any time.</p>"
    "<p><strong>What is recorded.</strong> Your answers, the time they take, and what you write."
    "</p>",
)

EVERY: dict[str, Screen] = {
    "consent": Page(
        (CONSENT,),
        (Choice("yes", "I agree and take part"), Choice("no", "I do not take part")),
    ),
    "page": Page((Part("text", "Read this.\nThen go on."), PICTURE), title="Instructions"),
    "ask": Ask(
        (
            Part("text", "Does this word follow the rule of the ones before?"),
            Part("mono", "XVJTVJ"),
        ),
        "Is it grammatical?",
        (Choice("yes", "Grammatical", "j"), Choice("no", "Not grammatical", "f")),
        deadline_ms=60_000,
    ),
    "number": Ask(
        (PICTURE,), "At how many degrees does it begin to spill?", least=0, most=90, title="Glass 3"
    ),
    "write": Write(
        (Part("text", "Please say in your own words what you look at."),),
        "Your reasons",
        title="Before you answer",
        min_chars=10,
    ),
    "stream": Stream(
        tuple(Part("text", text) for text in ("It has a balcony.", "The rent is high.")),
        each_ms=300,
        gap_ms=60,
        label="Apartment A",
        title="Statements",
    ),
    "nback": NBack(("K", "T", "K"), n=2, each_ms=600, gap_ms=300, title="Letters"),
    "check": Check(
        (Part("text", "Two questions on what you have read."),),
        (
            CheckQuestion(
                "help", "May you ask somebody?", (Choice("yes", "Yes"), Choice("no", "No"))
            ),
            CheckQuestion(
                "time",
                "How long do you have for an answer?",
                (Choice("s", "Five seconds"), Choice("m", "A minute"), Choice("n", "No limit")),
            ),
        ),
        title="Did we explain it well?",
    ),
    "plan": Plan(
        (Part("text", "Put together a plan that reaches the goal."),),
        (
            GroundAction("(pick-up a)", "pick up A", (0, 1, 2), (), (3,), (0, 1, 2)),
            GroundAction("(stack a b)", "stack A on B", (3, 4), (), (0, 2, 5), (3, 4)),
        ),
        (
            "A is clear",
            "A is on the table",
            "the hand is empty",
            "you hold A",
            "B is clear",
            "A on B",
        ),
        (
            ("clear", "a"),
            ("ontable", "a"),
            ("handempty",),
            ("holding", "a"),
            ("clear", "b"),
            ("on", "a", "b"),
        ),
        (0, 1, 2, 4),
        (5,),
        earlier="First I take A.\nThen I put it on B.",
        title="Your plan, step by step",
    ),
    "end": End(
        "complete",
        (Part("text", "Thank you. Your answers are saved."),),
        code="C1A2B3D4",
        url="https://app.example.org/submissions/complete?cc=C1A2B3D4",
        title="Thank you",
    ),
}
