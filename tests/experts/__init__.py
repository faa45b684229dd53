"""Tests of prediction with expert advice."""
