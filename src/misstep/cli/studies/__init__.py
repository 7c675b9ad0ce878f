"""`misstep study`: people in a browser, on the items that models get."""

from __future__ import annotations

import click

from misstep.cli.studies.bundling import bundle, import_results
from misstep.cli.studies.exporting import export_study, forget
from misstep.cli.studies.freezing import freeze
from misstep.cli.studies.serving import serve_study
from misstep.cli.studies.simulating import simulate


@click.group()
def study() -> None:
    """Put people on the items that models get, in a browser.

    \b
    misstep study serve --family grammar     # a study of defaults
    misstep study serve STUDY.toml           # docs/study-file.md
    misstep study simulate STUDY.toml        # robots take part, before people do
    misstep study freeze STUDY.toml --out study.frozen.json
    misstep study export STUDY.toml --out people.parquet
    """


for command in (serve_study, export_study, forget, freeze, bundle, import_results, simulate):
    study.add_command(command)
