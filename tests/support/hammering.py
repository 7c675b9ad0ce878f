"""A process that pays from a shared purse, many calls at once: `hammering.py LEDGER NUMBER CALLS`.

It prints what its calls cost, as exact fractions, and how many were paid.
"""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from pathlib import Path

import anyio

from misstep.runner.paying.ledger import Share, SharedPurse
from misstep.runner.paying.till import OutOfMoney, Till

_HANDS = 4


class Hammer:
    def __init__(self, ledger: Path, number: int, calls: int) -> None:
        self.till = Till(SharedPurse(Share(ledger, number)))
        self.dice = random.Random(number)
        self.calls = iter(range(calls))
        self.charged = Fraction(0)
        self.paid = 0

    async def call(self) -> None:
        purse, dice = self.till.purse, self.dice
        held = await self.till.reserve(min(1.0, dice.paretovariate(1.0) / 50))
        await anyio.sleep(dice.random() / 500)
        fate = dice.random()
        if fate < 0.1:
            purse.release(held)
        elif fate < 0.2:
            purse.lose(held)
            self.charged += Fraction(held.worst)
            self.paid += 1
        else:
            actual = held.worst * dice.random()
            purse.settle(held, actual)
            self.charged += Fraction(actual)
            self.paid += 1
        self.till.wake()

    async def hand(self) -> None:
        try:
            for _ in self.calls:
                await self.call()
        except OutOfMoney:
            return

    async def all(self) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(_HANDS):
                group.start_soon(self.hand)


if __name__ == "__main__":
    hammer = Hammer(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    anyio.run(hammer.all)
    sys.stdout.write(f"{hammer.charged} {hammer.paid}\n")
