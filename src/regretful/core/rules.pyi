from collections.abc import Iterable

from regretful.core.domains import Domain
from regretful.core.features import Hashing
from regretful.core.geometry import Geometry
from regretful.core.leader import Memory
from regretful.core.linear import Linear
from regretful.core.losses import Loss
from regretful.core.rates import Rate
from regretful.core.types import Kept

class MirrorDescent(Linear):
    def __init__(
        self,
        loss: Loss,
        geometry: Geometry | None = None,
        domain: Domain | None = None,
        rate: Rate | float = 0.1,
        *,
        conservative: bool = False,
        implicit: bool = False,
        intercept: bool = False,
        l2: float = 0.0,
        n: int | None = None,
        features: Hashing | None = None,
        keep: Kept | Iterable[Kept] = (),
        seed: int | None = 0,
        ledger: bool | Iterable[float] = True,
    ) -> None: ...
    @property
    def conservative(self) -> bool: ...
    @property
    def implicit(self) -> bool: ...
    @property
    def l2(self) -> float: ...

class FollowTheRegularizedLeader(Linear):
    def __init__(
        self,
        loss: Loss,
        geometry: Geometry | None = None,
        domain: Domain | None = None,
        rate: Rate | float = 0.1,
        *,
        exact: bool = False,
        intercept: bool = False,
        n: int | None = None,
        features: Hashing | None = None,
        keep: Kept | Iterable[Kept] = (),
        seed: int | None = 0,
        ledger: bool | Iterable[float] = True,
    ) -> None: ...
    @property
    def memory(self) -> Memory | None: ...

class FollowTheLeader(FollowTheRegularizedLeader):
    def __init__(
        self,
        loss: Loss,
        domain: Domain | None = None,
        *,
        intercept: bool = False,
        n: int | None = None,
        features: Hashing | None = None,
        keep: Kept | Iterable[Kept] = (),
        seed: int | None = 0,
        ledger: bool | Iterable[float] = True,
    ) -> None: ...
