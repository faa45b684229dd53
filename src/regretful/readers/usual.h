/* The usual case of a feature, `name:value` and a blank, in as few instructions as it takes: a name of up to eight bytes
   that came before and is not yet in the row, a value such as -0.125 or 3. What is not so is left to who calls. */

#ifndef RG_USUAL_H
#define RG_USUAL_H

#include "numbers.h"

typedef struct {        /* where features go: the fields of a Builder */
    int *index;
    double *value;
    const uint64_t *seen;
    int64_t *table;
    uint64_t mask;      /* of positions */
    ptrdiff_t table_mask;
    ptrdiff_t size, most; /* values there are; no more than so many fit, or the table would be too full */
    int64_t base, floor;
} rg_into;

/* Read features, the first of which begins at *p and has its colon at mark[at]. Returns the mark of the first that is not
   usual, or of whatever else comes there, and in *p where it begins. digits: names are whole numbers. */
static inline ptrdiff_t rg_features(const unsigned char *text, const uint32_t *mark, ptrdiff_t at, ptrdiff_t *p,
                                    uint64_t state, int digits, rg_into *into) {
    const unsigned char *name = text + *p;
    const uint64_t mask = into->mask, *seen = into->seen;
    const ptrdiff_t table_mask = into->table_mask, most = into->most;
    const int64_t floor = into->floor, above = into->base + 1;
    int64_t *table = into->table;
    ptrdiff_t size = into->size;
    while (size < most) {
        const unsigned char *colon = text + mark[at], *end = text + mark[at + 1];
        ptrdiff_t n = colon - name;
        uint64_t word = rg_load(name), hash = state, odd = 0;
        if (*colon != ':' || *end != ' ' || n < 1 || n > 8)
            break;
        if (digits) {
            odd = !rg_all_digits(rg_behind_zeros(word, n)) | ((word & 0xFF) == '0' && n > 1);
        }
        for (ptrdiff_t k = 0; k < n; k++) {
            hash = (hash ^ (word & 0xFF)) * 0x100000001B3ULL;
            word >>= 8;
        }
        hash = (hash ^ (hash >> 33)) * 0xFF51AFD7ED558CCDULL;
        hash = (hash ^ (hash >> 33)) * 0xC4CEB9FE1A85EC53ULL;
        uint64_t position = (hash ^ (hash >> 33)) & mask;
        /* The value: up to eight digits behind "d.", or one digit. */
        uint64_t minus = colon[1] == '-';
        const unsigned char *s = colon + 1 + minus;
        uint64_t first = (uint64_t)*s - '0';
        ptrdiff_t f = end - s - 2;
        double value;
        if (f >= 1 && f <= 8) {
            uint64_t tail = rg_behind_zeros(rg_load(s + 2), f);
            odd |= !rg_all_digits(tail) | (s[1] != '.');
            value = (double)(int64_t)(rg_eight(tail) + first * rg_whole_powers[f]) / rg_powers[f];
        } else {
            odd |= f != -1;
            value = (double)(int64_t)first;
        }
        uint64_t bits;
        memcpy(&bits, &value, 8);
        bits |= minus << 63;
        odd |= first > 9;
        ptrdiff_t place = (ptrdiff_t)position & table_mask;
        if (odd | !(seen[position >> 6] >> (position & 63) & 1) | (table[place] > floor))
            break;
        into->index[size] = (int)position;
        memcpy(&into->value[size], &bits, 8);
        table[place] = above + size;
        size++;
        at += 2;
        name = end + 1;
    }
    into->size = size;
    *p = name - text;
    return at;
}

#endif
