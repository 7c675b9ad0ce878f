"""An order carried out: the account, the folder of answers and the pace, opened for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from misstep.families.faces.service.client import PATIENCE, Client, Patience, open_http
from misstep.families.faces.service.drawing import Eyes
from misstep.families.faces.service.halves import is_picture
from misstep.families.faces.service.making import ANSWERS, Job, Made, Order, make
from misstep.families.faces.service.pace import Pace
from misstep.families.faces.service.prices import Tariff
from misstep.families.faces.service.purchases import Bill, open_purchases


@dataclass(frozen=True)
class Account:
    """Who asks, where, at what prices; at most `rate` calls a second and `most` credits in all."""

    base: str
    key: str = field(repr=False)
    tariff: Tariff
    rate: float
    most: float | None = None
    patience: Patience = PATIENCE


@dataclass(frozen=True)
class Bought:
    """`repeated` calls were under way when an earlier process ended, and may be paid for twice."""

    made: Made
    bill: Bill
    repeated: int


def buy(order: Order, todo: Sequence[Job], account: Account, eyes: Eyes) -> Bought:
    """Make what the set lacks; MisstepError leaves all that was bought in the folder."""
    with (
        open_purchases(order.folder / ANSWERS) as bought,
        open_http(account.base, account.patience) as http,
    ):
        client = Client(
            base=account.base,
            key=account.key,
            purchases=bought,
            pace=Pace(account.rate),
            tariff=account.tariff,
            is_picture=is_picture,
            http=http,
            patience=account.patience,
            most=account.most,
        )
        made = make(order, todo, client.ask, eyes, client.pace)
        return Bought(made, bought.bill(), bought.repeated)
