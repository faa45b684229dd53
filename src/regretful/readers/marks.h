/* Where the marks of a text stand: bytes up to the blank (so also ends of lines), ':' and '|'; and which of them end
   lines. Sixty-four bytes become a bit each, and each bit a position: what walks over the text afterwards never has to
   look for the end of a token, and knows how many of them a line has before it reads the first. */

#ifndef RG_MARKS_H
#define RG_MARKS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef struct {
    uint32_t *mark;       /* where the marks stand in the text */
    uint32_t *line;       /* which of the marks end lines */
    ptrdiff_t marks, lines, room;
    uint64_t high;        /* not 0 if a byte was not ASCII */
} rg_marks;

/* The marks of sixty-four bytes, and the ends of lines among them, a bit each. */
static inline uint64_t rg_marks64(const unsigned char *text, uint64_t *lines, uint64_t *high) {
    uint64_t marks = 0;
    *lines = 0;
#if defined(__SSE2__)
    const __m128i blank = _mm_set1_epi8(' '), colon = _mm_set1_epi8(':'), bar = _mm_set1_epi8('|');
    const __m128i newline = _mm_set1_epi8('\n');
    for (int k = 0; k < 4; k++) {
        __m128i x = _mm_loadu_si128((const __m128i *)(text + 16 * k));
        __m128i m = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(x, blank), x),
                                 _mm_or_si128(_mm_cmpeq_epi8(x, colon), _mm_cmpeq_epi8(x, bar)));
        marks |= (uint64_t)(uint32_t)_mm_movemask_epi8(m) << (16 * k);
        *lines |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, newline)) << (16 * k);
        *high |= (uint32_t)_mm_movemask_epi8(x);
    }
#else
    for (int k = 0; k < 64; k++) {
        marks |= (uint64_t)(text[k] <= ' ' || text[k] == ':' || text[k] == '|') << k;
        *lines |= (uint64_t)(text[k] == '\n') << k;
        *high |= text[k] & 0x80;
    }
#endif
    return marks;
}

static inline int rg_lowest(uint64_t bits) { return __builtin_ctzll(bits | (1ULL << 63)); }

static inline int rg_count(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    return (int)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
}

/* Which of these marks, the first of which is number `first`, end lines: mostly none of sixty-four bytes. */
static inline void rg_find_lines(uint64_t marks, uint64_t lines, ptrdiff_t first, rg_marks *found) {
    for (; lines; lines &= lines - 1)
        found->line[found->lines++] = (uint32_t)(first + rg_count(marks & (lines ^ (lines - 1))) - 1);
}

/* Enter the marks of text[at … end), as far as there is room; returns how far that was. `text` must have 64 readable
   bytes after its end. */
static inline ptrdiff_t rg_find_marks(const unsigned char *text, ptrdiff_t at, ptrdiff_t end, rg_marks *found) {
    ptrdiff_t count = found->marks;
    uint64_t high = 0;
    for (; at < end && count + 64 <= found->room; at += 64) {
        uint64_t lines, marks = rg_marks64(text + at, &lines, &high);
        uint32_t *mark = found->mark + count;
        if (end - at < 64) {
            marks &= (1ULL << (end - at)) - 1;
            lines &= marks;
        }
        rg_find_lines(marks, lines, count, found);
        count += rg_count(marks);
        /* Mostly there are fewer than twelve: written without a branch, what is too much is overwritten. */
        for (int k = 0; k < 12; k++) {
            mark[k] = (uint32_t)(at + rg_lowest(marks));
            marks &= marks - 1;
        }
        for (int k = 12; marks; k++) {
            mark[k] = (uint32_t)(at + rg_lowest(marks));
            marks &= marks - 1;
        }
    }
    found->marks = count;
    found->high |= high;
    return at < end ? at : end;
}

/* How many bytes of text[0 … size) are UTF-8, as Python is strict about it. */
static inline ptrdiff_t rg_utf8(const unsigned char *text, ptrdiff_t size) {
    ptrdiff_t i = 0;
    while (i < size) {
        unsigned c = text[i], low = 0x80, high = 0xBF;
        int more;
        if (c < 0x80) {
            i++;
            continue;
        }
        if (c >= 0xC2 && c <= 0xDF)
            more = 1;
        else if (c >= 0xE0 && c <= 0xEF) {
            more = 2;
            low = c == 0xE0 ? 0xA0 : low;   /* no longer than need be */
            high = c == 0xED ? 0x9F : high; /* no surrogates */
        } else if (c >= 0xF0 && c <= 0xF4) {
            more = 3;
            low = c == 0xF0 ? 0x90 : low;
            high = c == 0xF4 ? 0x8F : high;
        } else
            return i;
        if (i + more >= size || text[i + 1] < low || text[i + 1] > high)
            return i;
        for (int k = 2; k <= more; k++)
            if ((text[i + k] & 0xC0) != 0x80)
                return i;
        i += more + 1;
    }
    return i;
}

#endif
