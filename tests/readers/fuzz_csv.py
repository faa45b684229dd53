"""Mutated CSV and TSV: rows as rows must be, or errors that say where; the same ones in other pieces."""

from random import Random

import numpy as np

from regretful.readers.settings import Settings
from tests.readers.fuzzing import HASHINGS, Format, Seen, mutations
from tests.readers.in_memory import rows, seen

TABLES = (
    b'a,c,t,y\n1,x,2024-05-01T10:00:00,1\n2.5,"y, z",2024-05-02T11:30:00,0\n,"say ""hi""\nthere",,1\n',
    b"\xef\xbb\xbfa,y\r\n1,0\r\n-3e5,1\r\n\r\nNA,0\r\n",
    b"1,2,3\n4,5,6\n7,8\n9,10,11,12\n",
    b"a,c,t,y\n" + b"1,text,10:00:00,true\n" * 30 + b"x,\xff,25:00:00,maybe\n",
    b"a,y,t\nx,1,2024-05-01\ny,0,2024-05-02\n",
    b"a,y\n1,true\n2,false\n3,true\n",
    b"\xc3\xa9,a,y\n\xe2\x82\xac,.5,1\n\xf0\x9f\x98\x80,1e-3,0\n",
)
LONG = b"\n1,2,3" * 200, b",x" * 600, b'"' + b"x\n" * 500 + b'"'
SALT = (
    b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\t", b"nan", b"inf", b"1e400", b"-", b"NA", b"true",
    b"2024-05-01", b"T10:00", b"10:00:00", b"\xef\xbb\xbf", b"\xc3", b"9" * 400, b"y", b"a", b"x" * 200, b"\xff\xfe",
    b"1e100", b"\n1e100,1e100\n", b"false", b",,", b",1,", b"\n1,2,3\n", b"Z", b"+01:00",
)  # fmt: skip
SETTINGS = (
    Settings(skip_bad=True),
    Settings(skip_bad=True, cross=("a,y",), text=("c",)),
    Settings(),
    Settings(label="y", cross=("a,c",), time="t"),
    Settings(label="y", labels="if there", skip_bad=True, text=("a",), header=False),
    Settings(weight="a", header=True),
    Settings(label="y", weight="a", time="t", skip_bad=True),
)


def csv(data: bytes, rng: Random, held: bool) -> Seen:
    return table("csv", data, rng, held)


def tsv(data: bytes, rng: Random, held: bool) -> Seen:
    return table("tsv", data, rng, held)


def table(kind: str, data: bytes, rng: Random, held: bool) -> Seen:
    """It is read; and again with other pieces, which changes nothing."""
    settings, hashing = rng.choice(SETTINGS), rng.choice(HASHINGS)
    found, bad, error = rows(kind, data, settings, hashing, rng.choice((64, 1 << 30, 1 << 30)))
    if held:
        again, worse, other = rows(kind, data, settings, hashing, rng.choice((1, 5, 7)))
        assert (str(error), bad.messages) == (str(other), worse.messages), (error, other)
        for one, two in zip(found, again, strict=True):
            for name in ("start", "index", "value"):
                assert np.array_equal(getattr(one.X, name), getattr(two.X, name))
            assert np.array_equal(one.y, two.y)
            assert np.array_equal(one.weight, two.weight)
    return seen(found, bad, error)


def tabs(text: bytes) -> bytes:
    """The same with tabs and commas exchanged."""
    return text.translate(bytes.maketrans(b",\t", b"\t,"))


FORMATS = {
    "csv": Format(mutations(TABLES, SALT, LONG), csv, held=16),
    "tsv": Format(mutations(*(tuple(map(tabs, parts)) for parts in (TABLES, SALT, LONG))), tsv, held=16),
}
