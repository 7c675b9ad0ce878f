"""What the researcher does at the desk: pauses, and readings of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, sa.ForeignKey("study.id"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "overruling",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "participant",
            sa.Integer,
            sa.ForeignKey("participant.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("trial", sa.Integer, nullable=False),
        sa.Column("reading", sa.String(32), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("overruling_of_person", "overruling", ["participant"])
