"""Tests of regretful; they mirror the rooms of the package."""
