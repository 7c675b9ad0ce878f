"""Which versions of the families a study's items were made by."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("study", sa.Column("families", sa.Text))
