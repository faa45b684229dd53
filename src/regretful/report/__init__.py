"""Reports: a game as one HTML file that needs nothing beside it.

What is drawn is computed from the `Game`; nothing here plays or learns. Plotly's script is asked for when one is made.
"""

from regretful.report.writing import html, write

__all__ = ["html", "write"]
