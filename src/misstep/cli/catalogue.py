"""What there is: families, and embedded models."""

from __future__ import annotations

import click

from misstep.cli import completing
from misstep.cli.options import JSON, console, print_json


@click.command("list")
@click.argument("family", required=False, shell_complete=completing.families)
@JSON
def list_families(family: str | None, as_json: bool) -> None:
    """List families; of one, all there is to say. Arms, tests, domains, options, reference solvers.

    \b
    misstep list
    misstep list planbench
    """
    from misstep import registry
    from misstep.cli.materials import domains
    from misstep.report import catalogue

    rooms = (registry.family(family),) if family else registry.families()
    own = domains.own_domains() if family == domains.FAMILY else None
    if as_json:
        rows: dict[str, object] = {"families": [catalogue.to_json(room) for room in rooms]}
        rows |= {} if own is None else {"own_domains": [domains.to_json(one) for one in own]}
        print_json({"schema": 1, **rows})
    elif family:
        catalogue.show(rooms[0], console())
        if own is not None:
            domains.show(own, console())
    else:
        catalogue.show_names(rooms, console())


@click.group()
def models() -> None:
    """Embedded models and their weights.

    \b
    misstep models list
    misstep models get qwen2.5-coder-1.5b
    """


@models.command("list")
@JSON
def list_models(as_json: bool) -> None:
    """List the embedded models. Size, licence, checksum, source, and what is in the cache.

    \b
    misstep models list
    """
    from misstep.models import store
    from misstep.report import catalogue

    if as_json:
        print_json({"schema": 1, "models": [catalogue.weights_to_json(w) for w in store.listing()]})
    else:
        catalogue.show_weights(store.listing(), console())


@models.command("get")
@click.argument("name", shell_complete=completing.embedded)
def get_model(name: str) -> None:
    """Fetch a model's weights into the cache, once. An interrupted fetch goes on.

    \b
    misstep models get smollm2-135m
    """
    from misstep.models import store
    from misstep.report.progress import fetching

    with fetching(console(stderr=True), name) as progress:
        place = store.get(name, progress)
    click.echo(str(place))


@models.command("rm")
@click.argument("name", shell_complete=completing.embedded)
def remove_model(name: str) -> None:
    """Take a model's weights out of the cache.

    \b
    misstep models rm smollm2-135m
    """
    from misstep.models import store

    click.echo(f"removed {name}" if store.remove(name) else f"{name} was not in the cache")
