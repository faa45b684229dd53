"""The least that a pass in the order of the rows costs on this machine: a bare loop in C, without a library around it.

It predicts, takes the logistic slope and moves the weights: no loss is added up, no account kept, no row looked at. The
compiler may use whatever this processor has, and add in whatever order it likes.
"""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Floats
from benchmarks.timing import Prepare

LOOP = """
#include <math.h>
#include <stdint.h>

void pass(double *w, const int32_t *start, const int32_t *index, const double *value, const double *y, int64_t rows,
          double eta) {
    for (int64_t r = 0; r < rows; r++) {
        double p = 0, step;
        for (int32_t j = start[r]; j < start[r + 1]; j++)
            p += w[index[j]] * value[j];
        step = eta * y[r] / (1 + exp(y[r] * p));
        for (int32_t j = start[r]; j < start[r + 1]; j++)
            w[index[j]] += step * value[j];
    }
}
"""


def loop(X: Any, y: Floats, eta: float) -> Prepare | None:
    """A pass of the bare loop over a CSR matrix of doubles and 32-bit indices; None without a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "bare.c"), Path(folder, "bare.so")
        source.write_text(LOOP)
        flags = ["-Ofast", "-march=native", "-funroll-loops", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, str(source), "-o", str(library), "-lm"], check=True)
        play = ctypes.CDLL(str(library))["pass"]
    columns = [X.indptr, X.indices, X.data, y]
    places = [ctypes.c_void_p(column.ctypes.data) for column in columns]

    def prepare() -> Callable[[], object]:
        w = np.zeros(X.shape[1])
        return lambda: (play(ctypes.c_void_p(w.ctypes.data), *places, ctypes.c_int64(len(y)), ctypes.c_double(eta)), w)

    return prepare
