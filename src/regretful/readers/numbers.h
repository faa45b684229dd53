/* Decimal numbers to doubles, rounded correctly: [+-] digits [. digits] [e [+-] digits], digits on one side of the dot at
   least. Up to 2^53 and 10^22 by one division (Clinger 1990), up to 19 digits by Lemire's product (Lemire 2021, Number
   parsing at a gigabyte per second; Mushtak & Lemire 2023 prove that no case is left over); with more digits Python is
   asked, where two neighbours of the first 19 disagree. Texts must have 16 readable bytes after their end. */

#ifndef RG_NUMBERS_H
#define RG_NUMBERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RG_NUMBER, RG_NO_NUMBER, RG_TOO_LARGE, RG_ASK };

enum { RG_LEAST = -342, RG_MOST = 308 };
typedef const uint64_t (*rg_fives)[2]; /* the first 128 bits of 5^q for q from RG_LEAST to RG_MOST */

static const double rg_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const uint64_t rg_whole_powers[17] = {1ULL,
                                           10ULL,
                                           100ULL,
                                           1000ULL,
                                           10000ULL,
                                           100000ULL,
                                           1000000ULL,
                                           10000000ULL,
                                           100000000ULL,
                                           1000000000ULL,
                                           10000000000ULL,
                                           100000000000ULL,
                                           1000000000000ULL,
                                           10000000000000ULL,
                                           100000000000000ULL,
                                           1000000000000000ULL,
                                           10000000000000000ULL};

static inline uint64_t rg_load(const unsigned char *s) {
    uint64_t word;
    memcpy(&word, s, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The first n (1 to 8) of eight characters, behind 8 - n zeros. */
static inline uint64_t rg_behind_zeros(uint64_t word, ptrdiff_t n) {
    int shift = 64 - 8 * (int)n;
    return (word << shift) | (0x3030303030303030ULL & ((1ULL << shift) - 1));
}

static inline int rg_all_digits(uint64_t word) {
    return ((word & 0xF0F0F0F0F0F0F0F0ULL) | (((word + 0x0606060606060606ULL) & 0xF0F0F0F0F0F0F0F0ULL) >> 4)) ==
           0x3333333333333333ULL;
}

static inline uint64_t rg_eight(uint64_t word) {
    word -= 0x3030303030303030ULL;
    word = word * 10 + (word >> 8);
    return (((word & 0x000000FF000000FFULL) * 0x000F424000000064ULL) +
            (((word >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >>
           32;
}

/* w 10^q, w not more than 19 digits. */
static inline double rg_product(uint64_t w, int64_t q, rg_fives fives) {
    uint64_t mantissa, bits, low, high;
    double value;
    if (w == 0 || q < RG_LEAST)
        return 0.0;
    if (q > RG_MOST)
        return __builtin_inf();
    const uint64_t *five = fives[q - RG_LEAST];
    int zeros = __builtin_clzll(w);
    w <<= zeros;
    unsigned __int128 first = (unsigned __int128)w * five[0];
    high = (uint64_t)(first >> 64);
    low = (uint64_t)first;
    if ((high & 0x1FF) == 0x1FF) {
        uint64_t more = (uint64_t)(((unsigned __int128)w * five[1]) >> 64);
        low += more;
        high += more > low;
    }
    int top = (int)(high >> 63), shift = top + 9;
    mantissa = high >> shift;
    int64_t power = ((217706 * q) >> 16) + 63 + top - zeros + 1023;
    if (power <= 0) { /* below the normal numbers */
        if (1 - power >= 64)
            return 0.0;
        mantissa >>= 1 - power;
        mantissa += mantissa & 1;
        mantissa >>= 1;
        bits = mantissa; /* a carry into bit 52 is the least normal number */
    } else {
        if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << shift == high)
            mantissa &= ~1ULL; /* half-way: to even */
        mantissa += mantissa & 1;
        mantissa >>= 1;
        if (mantissa >= 2ULL << 52) {
            mantissa = 1ULL << 52;
            power++;
        }
        if (power >= 0x7FF)
            return __builtin_inf();
        bits = (mantissa & ~(1ULL << 52)) | ((uint64_t)power << 52);
    }
    memcpy(&value, &bits, 8);
    return value;
}

static inline int rg_any_number(const unsigned char *s, const unsigned char *end, double *out, rg_fives fives) {
    uint64_t w = 0;
    int64_t q = 0, said = 0;
    int digits = 0, seen = 0, dot = 0, minus = 0, less = 0;
    if (s < end && (*s == '-' || *s == '+'))
        minus = *s++ == '-';
    for (; s < end; s++) {
        unsigned d = (unsigned)*s - '0';
        if (d <= 9) {
            seen = 1;
            if (digits < 19) {
                w = 10 * w + d;
                digits += w != 0;
                q -= dot;
            } else {
                digits = 20; /* more than w holds */
                q += !dot;
            }
        } else if (*s == '.' && !dot)
            dot = 1;
        else
            break;
    }
    if (!seen)
        return RG_NO_NUMBER;
    if (s < end) {
        if (*s != 'e' && *s != 'E')
            return RG_NO_NUMBER;
        s++;
        if (s < end && (*s == '-' || *s == '+'))
            less = *s++ == '-';
        if (s == end)
            return RG_NO_NUMBER;
        for (; s < end; s++) {
            unsigned d = (unsigned)*s - '0';
            if (d > 9)
                return RG_NO_NUMBER;
            if (said < 100000000000LL) /* beyond any number of digits before it */
                said = 10 * said + d;
        }
        q += less ? -said : said;
    }
    double value;
    if (digits <= 19 && w <= 1ULL << 53 && q >= -22 && q <= 22)
        value = q < 0 ? (double)w / rg_powers[-q] : (double)w * rg_powers[q];
    else {
        value = rg_product(w, q, fives);
        if (digits > 19 && value != rg_product(w + 1, q, fives))
            return RG_ASK;
    }
    *out = minus ? -value : value;
    return value <= 1.7976931348623157e308 ? RG_NUMBER : RG_TOO_LARGE;
}

static inline int rg_number(const unsigned char *s, const unsigned char *end, double *out, rg_fives fives) {
    int minus = *s == '-';
    const unsigned char *digits = s + minus;
    ptrdiff_t n = end - digits;
    uint64_t whole, word;
    if (n == 1 && (unsigned)*digits - '0' <= 9) {
        double value = *digits - '0';
        *out = minus ? -value : value;
        return RG_NUMBER;
    }
    if (n >= 3 && n <= 18 && digits[1] == '.' && (unsigned)*digits - '0' <= 9) {
        n -= 2;
        word = rg_load(digits + 2);
        if (n <= 8) {
            word = rg_behind_zeros(word, n);
            if (!rg_all_digits(word))
                return rg_any_number(s, end, out, fives);
            whole = rg_eight(word);
        } else {
            uint64_t second = rg_behind_zeros(rg_load(digits + 10), n - 8);
            if (!rg_all_digits(word) || !rg_all_digits(second))
                return rg_any_number(s, end, out, fives);
            whole = rg_eight(word) * rg_whole_powers[n - 8] + rg_eight(second);
        }
        whole += (uint64_t)(*digits - '0') * rg_whole_powers[n];
        double value = whole <= 1ULL << 53 ? (double)whole / rg_powers[n] : rg_product(whole, -n, fives);
        *out = minus ? -value : value;
        return RG_NUMBER;
    }
    if (n >= 2 && n <= 8) {
        word = rg_behind_zeros(rg_load(digits), n);
        if (rg_all_digits(word)) {
            double value = (double)rg_eight(word);
            *out = minus ? -value : value;
            return RG_NUMBER;
        }
    }
    return rg_any_number(s, end, out, fives);
}

#endif
