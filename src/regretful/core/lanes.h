/* The innermost loops of a round, several lanes side by side. The lanes are spelt out, not left to the compiler, so that
   every machine adds in the same order; where there is SSE2 (every x86-64) lanes share an instruction. */

#include <math.h>
#include <stddef.h>

#if defined(__SSE2__)
#include <emmintrin.h>

static inline void rg_squares(const double *value, ptrdiff_t n, double *square, double *peak) {
    __m128d sum0 = _mm_setzero_pd(), sum1 = sum0, top0 = sum0, top1 = sum0, a, b;
    double sums[4], tops[4], s;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4) {
        a = _mm_loadu_pd(value + j);
        b = _mm_loadu_pd(value + j + 2);
        a = _mm_mul_pd(a, a);
        b = _mm_mul_pd(b, b);
        sum0 = _mm_add_pd(sum0, a);
        sum1 = _mm_add_pd(sum1, b);
        top0 = _mm_max_pd(a, top0);
        top1 = _mm_max_pd(b, top1);
    }
    _mm_storeu_pd(sums, sum0);
    _mm_storeu_pd(sums + 2, sum1);
    _mm_storeu_pd(tops, top0);
    _mm_storeu_pd(tops + 2, top1);
#else

static inline void rg_squares(const double *value, ptrdiff_t n, double *square, double *peak) {
    double sums[4] = {0, 0, 0, 0}, tops[4] = {0, 0, 0, 0}, s;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; k++) {
            s = value[j + k] * value[j + k];
            sums[k] += s;
            tops[k] = s > tops[k] ? s : tops[k];
        }
#endif
    for (; j < n; j++) {
        s = value[j] * value[j];
        sums[0] += s;
        tops[0] = s > tops[0] ? s : tops[0];
    }
    for (int k = 1; k < 4; k++)
        tops[0] = tops[k] > tops[0] ? tops[k] : tops[0];
    *square = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    *peak = tops[0];
}

/* v += a x and G += s x at the cells (v, G) of a row: two additions, one instruction. */
static inline void rg_move(double *cells, const int *index, const double *value, ptrdiff_t n, double a, double s) {
    double *cell;
    ptrdiff_t j;
#if defined(__SSE2__)
    const __m128d both = _mm_set_pd(s, a);
    for (j = 0; j < n; j++) {
        cell = cells + 2 * (ptrdiff_t)index[j];
        _mm_storeu_pd(cell, _mm_add_pd(_mm_loadu_pd(cell), _mm_mul_pd(both, _mm_set1_pd(value[j]))));
    }
#else
    for (j = 0; j < n; j++) {
        cell = cells + 2 * (ptrdiff_t)index[j];
        cell[0] += a * value[j];
        cell[1] += s * value[j];
    }
#endif
}

/* Whether each index is above the one before it. */
static inline int rg_rising(const int *index, ptrdiff_t n) {
    int falls = 0;
    ptrdiff_t j = 1;
#if defined(__SSE2__)
    __m128i rises = _mm_set1_epi32(-1);
    for (; j + 4 <= n; j += 4)
        rises = _mm_and_si128(rises, _mm_cmpgt_epi32(_mm_loadu_si128((const __m128i *)(index + j)),
                                                     _mm_loadu_si128((const __m128i *)(index + j - 1))));
    falls = _mm_movemask_epi8(rises) != 0xFFFF;
#endif
    for (; j < n; j++)
        falls |= index[j] <= index[j - 1];
    return !falls;
}
