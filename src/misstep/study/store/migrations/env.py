"""What Alembic runs: on the connection that `migrating.py` hands over, in its transaction."""

from alembic import context

from misstep.study.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
