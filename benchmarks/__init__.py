"""Measures regretful against its peers and against the bars it was asked to reach: `python -m benchmarks`.

One subject a file, each a `run(quick)` that returns results. Nothing here is imported by the package.
"""
