/* Usual features, `name:value` and a blank or the line's end: a name of up to eight bytes, a value such as -0.125 or 3.
   They become positions and values, hardly with a branch that what stands in them could turn, as no processor foresees
   how long names and numbers are. What is not usual is left to who calls.

   rg_usual_narrow, and rg_usual_wide (wide.h), read features the first of which begins at p and has its colon at
   mark[0]; `most` of them are in the line. They return how many are usual up to the first that is not; the wide one
   takes more values for usual than the narrow one. digits: names are whole numbers; state: that of the hash before the name;
   mask: of positions. There must be 16 readable bytes before `text` and 64 after its end, 16 marks after the last, and
   room for seven positions and values more. */

#ifndef RG_USUAL_H
#define RG_USUAL_H

#include "numbers.h"

#define RG_PRIME 0x100000001B3ULL

static inline ptrdiff_t rg_usual_narrow(const unsigned char *text, const uint32_t *mark, ptrdiff_t p, ptrdiff_t most,
                                        uint64_t state, int digits, uint64_t mask, int *position, double *value) {
    const unsigned char *name = text + p;
    for (ptrdiff_t j = 0; j < most; j++) {
        const unsigned char *colon = text + mark[2 * j], *end = text + mark[2 * j + 1];
        ptrdiff_t n = colon - name;
        uint64_t word = rg_load(name), hash = state, odd = 0;
        if (*colon != ':' || (*end != ' ' && *end != '\n') || n < 1 || n > 8)
            return j;
        if (digits)
            odd = !rg_all_digits(rg_behind_zeros(word, n)) | ((word & 0xFF) == '0' && n > 1);
        for (ptrdiff_t k = 0; k < n; k++) {
            hash = (hash ^ (word & 0xFF)) * RG_PRIME;
            word >>= 8;
        }
        hash = (hash ^ (hash >> 33)) * 0xFF51AFD7ED558CCDULL;
        hash = (hash ^ (hash >> 33)) * 0xC4CEB9FE1A85EC53ULL;
        position[j] = (int)((hash ^ (hash >> 33)) & mask);
        /* The value: up to eight digits behind "d.", or one digit. */
        uint64_t minus = colon[1] == '-';
        const unsigned char *s = colon + 1 + minus;
        uint64_t first = (uint64_t)*s - '0';
        ptrdiff_t f = end - s - 2;
        double x;
        if (f >= 1 && f <= 8) {
            uint64_t tail = rg_behind_zeros(rg_load(s + 2), f);
            odd |= !rg_all_digits(tail) | (s[1] != '.');
            x = (double)(int64_t)(rg_eight(tail) + first * rg_whole_powers[f]) / rg_powers[f];
        } else {
            odd |= f != -1;
            x = (double)(int64_t)first;
        }
        if (odd | (first > 9))
            return j;
        value[j] = minus ? -x : x;
        name = end + 1;
    }
    return most;
}

#endif
