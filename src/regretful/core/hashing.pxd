# Names to positions: FNV-1a over the bytes of the name, mixed (as MurmurHash3 ends), cut to the bits asked for. Here
# alone is it written down: what reads a file and what reads an event must agree to the last bit.

from libc.stdint cimport uint64_t


cdef inline uint64_t begun(uint64_t seed) noexcept nogil:
    return 0xCBF29CE484222325ULL ^ seed


cdef inline uint64_t absorbed(uint64_t state, const unsigned char* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(size):
        state = (state ^ text[i]) * 0x100000001B3ULL
    return state


cdef inline Py_ssize_t place(uint64_t state, uint64_t mask) noexcept nogil:
    state = (state ^ (state >> 33)) * 0xFF51AFD7ED558CCDULL
    state = (state ^ (state >> 33)) * 0xC4CEB9FE1A85EC53ULL
    return <Py_ssize_t> ((state ^ (state >> 33)) & mask)
