"""The first tables: studies, people, what they were served and what they answered."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "study",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "participant",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, sa.ForeignKey("study.id"), nullable=False),
        sa.Column("public", sa.String(32), nullable=False, unique=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("entering", sa.String(64), unique=True),
        sa.Column("slot", sa.Integer, nullable=False),
        sa.Column("held", sa.Integer),
        sa.Column("person", sa.String(128)),
        sa.Column("recruited_study", sa.String(128)),
        sa.Column("recruited_session", sa.String(128)),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("consent", sa.String(64), nullable=False),
        sa.Column("entered", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("bonus", sa.Float),
        sa.Column("address", sa.String(64)),
        sa.UniqueConstraint("study", "held", name="one_person_a_slot"),
        sa.UniqueConstraint("study", "person", name="one_way_a_person"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "served",
        _person(primary=True),
        sa.Column("key", sa.String(128), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "answer",
        sa.Column("id", sa.Integer, primary_key=True),
        _person(),
        sa.Column("key", sa.String(128), nullable=False),
        sa.Column("once", sa.String(64), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("rt_ms", sa.Float),
        sa.Column("signs", sa.Text, nullable=False),
        sa.Column("row", sa.Text, nullable=False),
        sa.Column("received", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("participant", "key", name="one_answer_a_step"),
        sa.UniqueConstraint("participant", "once", name="one_answer_a_sending"),
        sqlite_autoincrement=True,
    )


def _person(*, primary: bool = False) -> sa.Column[int]:
    owner = sa.ForeignKey("participant.id", ondelete="CASCADE")
    return sa.Column("participant", sa.Integer, owner, primary_key=primary, nullable=False)
