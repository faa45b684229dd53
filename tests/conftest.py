"""What holds for every test: how Hypothesis plays."""

import os
import signal

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

# Whoever starts the tests in the background of a shell has Ctrl-C ignored, and the tests of Ctrl-C with it.
signal.signal(signal.SIGINT, signal.default_int_handler)
