# Decimal numbers in texts to doubles, each rounded as Python rounds it. No format is known here.
#
# Most have few digits and are one exact operation away. Up to 19 digits, a long double of 64 bits is off by half of its
# last bit at most: enough to round to a double, unless it lies right between two of them. The rest Python reads.

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #include <float.h>
    #if LDBL_MANT_DIG == 64
    #define RG_LONG 27
    #else
    #define RG_LONG -1
    #endif
    static const double rg_tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
      1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    static const long double rg_long_tens[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L,
      1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    """
    const int RG_LONG
    const double* rg_tens
    const long double* rg_long_tens


cdef inline double as_python(const unsigned char* text, Py_ssize_t size) noexcept with gil:
    return float((<const char*> text)[:size])


cdef inline bint is_digit(unsigned char byte) noexcept nogil:
    return byte - 48 <= 9 and byte >= 48


cdef inline Py_ssize_t decimal(const unsigned char* text, Py_ssize_t size, double* value) noexcept nogil:
    """How many bytes the number takes with which the text begins, 0 if with none: [+-]digits[.digits][e[+-]digits]."""
    cdef Py_ssize_t at = 0, digits = 0, exponent = 0, power = 0, mark
    cdef uint64_t mantissa = 0, bits
    cdef bint negative = False, less = False, cut = False, point = False
    cdef long double wide
    if at < size and (text[at] == c"-" or text[at] == c"+"):
        negative = text[at] == c"-"
        at += 1
    while at < size:
        if is_digit(text[at]):
            digits += 1
            if mantissa < 1000000000000000000ULL:
                mantissa = 10 * mantissa + (text[at] - 48)
                exponent -= point
            else:
                cut = cut or text[at] != c"0"
                exponent += not point
        elif text[at] == c"." and not point:
            point = True
        else:
            break
        at += 1
    if digits == 0:
        return 0
    if at < size and (text[at] == c"e" or text[at] == c"E"):
        mark = at + 1
        if mark < size and (text[mark] == c"-" or text[mark] == c"+"):
            less = text[mark] == c"-"
            mark += 1
        if mark < size and is_digit(text[mark]):
            while mark < size and is_digit(text[mark]):
                if power < 1000000000:  # past any double
                    power = 10 * power + (text[mark] - 48)
                mark += 1
            exponent += -power if less else power
            at = mark
    if mantissa == 0:
        value[0] = -0.0 if negative else 0.0
        return at
    if not cut and mantissa <= 9007199254740992ULL and -22 <= exponent <= 22:
        value[0] = <double> mantissa / rg_tens[-exponent] if exponent < 0 else <double> mantissa * rg_tens[exponent]
        value[0] = -value[0] if negative else value[0]
        return at
    if not cut and -RG_LONG <= exponent <= RG_LONG:
        if exponent < 0:
            wide = <long double> mantissa / rg_long_tens[-exponent]
        else:
            wide = <long double> mantissa * rg_long_tens[exponent]
        memcpy(&bits, &wide, sizeof(uint64_t))
        if bits & 0x7FF != 0x400:
            value[0] = <double> (-wide if negative else wide)
            return at
    value[0] = as_python(text, at)
    return at
