"""Builds the compiled core. Everything else about the package is in pyproject.toml.

REGRETFUL_CHECKS=1 builds the same sources with Cython's bounds checks and the address sanitizer
(`make checked` runs the tests on that build); REGRETFUL_ANNOTATE=1 writes Cython's annotated HTML;
REGRETFUL_CORE=0 leaves the core out (the Makefile installs the package so, then builds the core in place);
REGRETFUL_CFLAGS hands the compiler more flags.
"""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CHECKED = os.environ.get("REGRETFUL_CHECKS") == "1"
# No contraction of a*b+c into one rounding: the same run on every machine. Without debug symbols a module
# is a tenth of the size.
FLAGS = ["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno", "-Wno-unreachable-code"]
SANITIZERS = "-fsanitize=address,undefined"
SANITIZE = ["-O1", "-g", "-fno-omit-frame-pointer", SANITIZERS, "-fno-sanitize-recover=undefined"]


class BuildCore(build_ext):
    """Cython, then C: both on every processor, and only where something is built (an sdist needs neither)."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self):
        from Cython.Build import cythonize

        cythonized = cythonize(
            self.extensions,
            force=self.force,
            nthreads=min(int(self.parallel), len(self.extensions)),
            build_dir="build/checked/cython" if CHECKED else "build/cython",
            annotate=os.environ.get("REGRETFUL_ANNOTATE") == "1",
            compiler_directives={
                "language_level": 3,
                "boundscheck": CHECKED,
                "initializedcheck": CHECKED,
                "wraparound": False,
                "cdivision": True,
                "freethreading_compatible": False,
            },
        )
        for extension, translated in zip(self.extensions, cythonized, strict=True):
            assert extension.name == translated.name
            vars(extension).update(vars(translated))
        super().build_extensions()


def core():
    """One extension module for each .pyx file: the core's, and what other rooms compile for themselves."""
    return [
        Extension(
            ".".join(path.relative_to("src").with_suffix("").parts),
            [str(path)],
            include_dirs=["src/regretful/core", "src/regretful/readers"],
            depends=["src/regretful/core/lanes.h", *map(str, sorted(path.parent.glob("*.h")))],
            # libm by its name, or glibc binds old, slower versions of exp and log.
            libraries=["m"] if os.name == "posix" else [],
            extra_compile_args=FLAGS + (SANITIZE if CHECKED else []) + os.environ.get("REGRETFUL_CFLAGS", "").split(),
            extra_link_args=[SANITIZERS] if CHECKED else [],
        )
        for path in sorted(Path("src/regretful").rglob("*.pyx"))
    ]


if __name__ == "__main__":  # Cython's worker processes import this file again
    setup(
        ext_modules=[] if os.environ.get("REGRETFUL_CORE") == "0" else core(),
        cmdclass={"build_ext": BuildCore},
    )
