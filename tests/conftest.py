"""What holds for every test: how Hypothesis plays."""

import os

from hypothesis import HealthCheck, settings

# A shared machine, or the sanitizers of `make checked`, may be slow: no fault of the code.
settings.register_profile(
    "regretful",
    deadline=None,
    print_blob=True,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("regretful")
