"""The tables of a study's database; all times are milliseconds of UTC since 1970.

`migrations/` makes the same tables step by step (a test compares the two).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()


def _person(*, primary: bool = False) -> Column[int]:
    """Whatever is kept of a person goes with the person."""
    owner = ForeignKey("participant.id", ondelete="CASCADE")
    return Column("participant", Integer, owner, primary_key=primary, nullable=False)


study = Table(
    "study",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("title", Text, nullable=False),
    # The whole study as JSON, texts among it: which words a person consented to is known for good.
    Column("content", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    # The version of each family as JSON: what else its items, words and scoring follow from.
    Column("families", Text),
)

participant = Table(
    "participant",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study", Integer, ForeignKey("study.id"), nullable=False),
    Column("public", String(32), nullable=False, unique=True),
    Column("token", String(64), nullable=False, unique=True),  # its SHA-256, never itself
    Column("entering", String(64), unique=True),  # likewise of the mark that the page entered with
    # What the person meets; and the same number as long as nobody else may have it. As `held` is
    # unique and below the quota, the database itself keeps people apart and the quota.
    Column("slot", Integer, nullable=False),
    Column("held", Integer),
    Column("person", String(128)),  # the recruiting service's ids, where there are any
    Column("recruited_study", String(128)),
    Column("recruited_session", String(128)),
    Column("state", String(16), nullable=False),
    Column("consent", String(64), nullable=False),
    Column("entered", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("bonus", Float),
    Column("address", String(64)),  # only where the study asks for it
    UniqueConstraint("study", "held", name="one_person_a_slot"),
    UniqueConstraint("study", "person", name="one_way_a_person"),
    sqlite_autoincrement=True,  # a deleted person's number is never another's
)

served = Table(
    "served",
    metadata,
    _person(primary=True),
    Column("key", String(128), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

answer = Table(
    "answer",
    metadata,
    Column("id", Integer, primary_key=True),
    _person(),
    Column("key", String(128), nullable=False),
    Column("once", String(64), nullable=False),
    # JSON in plain ASCII: neither database can stumble over a character in it.
    Column("answer", Text, nullable=False),
    Column("rt_ms", Float),
    Column("signs", Text, nullable=False),
    Column("row", Text, nullable=False),
    Column("received", BigInteger, nullable=False),
    UniqueConstraint("participant", "key", name="one_answer_a_step"),
    UniqueConstraint("participant", "once", name="one_answer_a_sending"),
    sqlite_autoincrement=True,
)

event = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study", Integer, ForeignKey("study.id"), nullable=False),
    Column("kind", String(16), nullable=False),  # opened, paused, resumed, closed, deleted
    Column("at", BigInteger, nullable=False),
)

# A researcher's reading of a trial's free text, beside the automatic one; the last one counts.
overruling = Table(
    "overruling",
    metadata,
    Column("id", Integer, primary_key=True),
    _person(),
    Column("trial", Integer, nullable=False),
    Column("reading", String(32), nullable=False),
    Column("note", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("overruling_of_person", "participant"),
)
