from collections.abc import Iterable

from numpy.typing import ArrayLike

from regretful.core.linear import Linear
from regretful.core.types import Kept, Vector

class Mixture(Linear):
    def __init__(
        self,
        portfolios: ArrayLike,
        prior: ArrayLike | None = None,
        *,
        keep: Kept | Iterable[Kept] = (),
        seed: int | None = 0,
        ledger: bool | Iterable[float] = True,
    ) -> None: ...
    @property
    def portfolios(self) -> Vector: ...
    @property
    def prior(self) -> Vector: ...
    @property
    def log_wealths(self) -> Vector: ...
    @property
    def shares(self) -> Vector: ...
