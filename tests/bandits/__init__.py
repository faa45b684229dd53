"""Tests of the bandits."""
