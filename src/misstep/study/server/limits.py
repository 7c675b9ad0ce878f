"""How often may be asked: a bucket of permits for each token, and each network address.

Addresses are kept as digests with a key of this process alone, for minutes, and only in memory.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address

from misstep.study.server.requests import Refused

_MOST_BUCKETS = 20_000


@dataclass(frozen=True)
class Rate:
    """`burst` at once, and `each_second` after that."""

    each_second: float
    burst: int


OF_TOKEN = Rate(20, 600)
# A whole class may sit behind one address, and a study may be begun by all of it at once.
OF_ENTERING = Rate(5, 400)
OF_WRONG_TOKENS = Rate(1, 100)


class Limit:
    """Counts in memory; `clock` gives seconds that never go back."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate, self._clock = rate, clock
        self._key = secrets.token_bytes(16)
        self._buckets: dict[bytes, tuple[float, float]] = {}

    def take(self, who: str) -> None:
        """Refused (429) where `who` has asked too often."""
        name = blake2b(who.encode(), key=self._key, digest_size=12).digest()
        now = self._clock()
        left = self._left(name, now)
        if left < 1:
            wait = int((1 - left) / self._rate.each_second) + 1
            raise Refused(429, "too many requests", retry_after=wait)
        self._buckets.pop(name, None)
        self._buckets[name] = (left - 1, now)
        if len(self._buckets) > _MOST_BUCKETS:
            self._forget(now)

    def is_spent(self, who: str) -> bool:
        name = blake2b(who.encode(), key=self._key, digest_size=12).digest()
        return self._left(name, self._clock()) < 1

    def _left(self, name: bytes, now: float) -> float:
        left, at = self._buckets.get(name, (float(self._rate.burst), now))
        return min(float(self._rate.burst), left + (now - at) * self._rate.each_second)

    def _forget(self, now: float) -> None:
        """Those that are full again, and the oldest half where that isn't enough."""
        full = [name for name in self._buckets if self._left(name, now) >= self._rate.burst]
        for name in full or list(self._buckets)[: _MOST_BUCKETS // 2]:
            del self._buckets[name]


def network(address: str) -> str:
    """The address, or its network where one household has millions of them (IPv6, /64)."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return found.exploded[:19] if isinstance(found, IPv6Address) else address
