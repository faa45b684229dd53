"""The builder that keeps names apart: ids in the order in which names come, whatever their hashes are."""

import pytest

from regretful.convert.rows import Rows
from regretful.readers.exact import Exact
from regretful.readers.files import Files
from regretful.readers.scanner import Scanner
from regretful.readers.settings import Settings
from regretful.readers.text import Text


@pytest.mark.parametrize("bits", [1, 2, 10])
def test_ids_are_given_in_order_however_often_the_tables_grow(tmp_path, bits):
    path = tmp_path / "a.vw"
    names = [f"n{k}" for k in range(3000)]
    path.write_text(f"1 | {' '.join(names)}\n1 | {' '.join(reversed(names))}\n")
    builder = Exact(bits)
    assert isinstance(Text("vw", Settings()).scanner(builder), Scanner)
    X = [batch.X for batch in Text("vw", Settings()).batches(Files(path), builder, None)]
    index = [i for part in X for i in part.index.tolist()]
    assert index == [*range(1, 3001), *range(3000, 0, -1)]
    assert builder.ids == range(1, 3001)
    assert [builder.name(i) for i in builder.ids] == names


def test_names_that_a_learner_would_put_together_stay_apart(tmp_path):
    """More names than 2^27 positions keep apart by chance: of 40,000, some six pairs share one."""
    path = tmp_path / "a.vw"
    names = [f"user{k}" for k in range(40_000)]
    path.write_text(f"1 | {' '.join(names)}\n")
    rows = Rows(Files(path), "vw", Settings())
    (piece,) = rows
    assert len(piece.index) == len(set(piece.index.tolist())) == 40_000
    assert rows.names[1:] == names


def test_ids_last_from_pass_to_pass(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 3:1 1:2\n0 7:1\n")
    rows = Rows(Files(path), "libsvm", Settings())
    first, second = ([piece.index.tolist() for piece in rows] for _ in range(2))
    assert first == second == [[1, 2, 3]]
    assert rows.names == ["", "3", "1", "7"]
