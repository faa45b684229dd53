"""Tests of portfolios."""
