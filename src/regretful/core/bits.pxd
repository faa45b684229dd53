# The C interface of NumPy's bit generators, for draws without the interpreter. The struct is NumPy's bitgen_t
# (numpy/random/bitgen.h), written out here so that building needs no NumPy.

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint32_t, uint64_t


cdef struct Bits:
    void* state
    uint64_t (*next_uint64)(void*) noexcept nogil
    uint32_t (*next_uint32)(void*) noexcept nogil
    double (*next_double)(void*) noexcept nogil
    uint64_t (*next_raw)(void*) noexcept nogil


cdef inline Bits* bits_of(generator) except NULL:
    """The bits of a numpy.random.Generator, which must outlive them."""
    return <Bits*> PyCapsule_GetPointer(generator.bit_generator.capsule, "BitGenerator")


cdef inline double uniform(Bits* bits) noexcept nogil:
    """A number in [0, 1), as Generator.random() gives it."""
    return bits.next_double(bits.state)
