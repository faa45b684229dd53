/* The innermost loops of a round, several lanes side by side. The lanes are spelt out, not left to the compiler, so that
   every machine adds in the same order; where there is SSE2 (every x86-64) lanes share an instruction. */

#include <math.h>
#include <stddef.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The same lanes four to an instruction, where the processor turns out to have AVX2: the same sums, bit for bit. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(RG_NARROW)
#include <immintrin.h>
#define RG_WIDE __attribute__((target("avx2")))
#define RG_HAS_WIDE __builtin_cpu_supports("avx2")
#define RG_AHEAD 1024 /* values: two pages on, where the processor does not look by itself; nothing if none are there */

RG_WIDE static ptrdiff_t rg_squares_wide(const double *value, ptrdiff_t n, double *sums, double *tops) {
    __m256d sum = _mm256_setzero_pd(), top = sum, a;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4) {
        __builtin_prefetch(value + j + RG_AHEAD);
        a = _mm256_loadu_pd(value + j);
        a = _mm256_mul_pd(a, a);
        sum = _mm256_add_pd(sum, a);
        top = _mm256_max_pd(a, top);
    }
    _mm256_storeu_pd(sums, sum);
    _mm256_storeu_pd(tops, top);
    return j;
}

/* The same in one walk with whether each index is above the one before it: a loop's end that is not foreseen costs as
   much as a dozen values. */
RG_WIDE static ptrdiff_t rg_walk_wide(const int *index, const double *value, ptrdiff_t n, double *sums, double *tops,
                                      int *rising) {
    __m256d sum = _mm256_setzero_pd(), top = sum, a;
    __m128i here = _mm_loadu_si128((const __m128i *)index), rises;
    ptrdiff_t j = 0;
    rises = _mm_or_si128(_mm_cmpgt_epi32(here, _mm_slli_si128(here, 4)), _mm_setr_epi32(-1, 0, 0, 0));
    for (;;) {
        __builtin_prefetch(value + j + RG_AHEAD);
        a = _mm256_loadu_pd(value + j);
        a = _mm256_mul_pd(a, a);
        sum = _mm256_add_pd(sum, a);
        top = _mm256_max_pd(a, top);
        j += 4;
        if (j + 4 > n)
            break;
        here = _mm_loadu_si128((const __m128i *)(index + j));
        rises = _mm_and_si128(rises, _mm_cmpgt_epi32(here, _mm_loadu_si128((const __m128i *)(index + j - 1))));
    }
    _mm256_storeu_pd(sums, sum);
    _mm256_storeu_pd(tops, top);
    *rising = _mm_movemask_epi8(rises) == 0xFFFF;
    return j;
}

/* For the cells 0, 1, 2, …, which need no index. */
RG_WIDE static ptrdiff_t rg_dot_wide(const double *cells, const double *value, ptrdiff_t n, double *sums) {
    __m256d sum = _mm256_setzero_pd(), v;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4) {
        v = _mm256_unpacklo_pd(_mm256_loadu_pd(cells + 2 * j), _mm256_loadu_pd(cells + 2 * j + 4)); /* 0, 2, 1, 3 */
        sum = _mm256_add_pd(sum, _mm256_mul_pd(v, _mm256_permute4x64_pd(_mm256_loadu_pd(value + j), 0xD8)));
    }
    _mm256_storeu_pd(sums, _mm256_permute4x64_pd(sum, 0xD8));
    return j;
}

RG_WIDE static ptrdiff_t rg_move_wide(double *cells, const double *value, ptrdiff_t n, double a, double s) {
    const __m256d both = _mm256_set_pd(s, a, s, a);
    __m256d x, low, high;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4) {
        x = _mm256_loadu_pd(value + j);
        low = _mm256_mul_pd(both, _mm256_permute4x64_pd(x, 0x50));
        high = _mm256_mul_pd(both, _mm256_permute4x64_pd(x, 0xFA));
        _mm256_storeu_pd(cells + 2 * j, _mm256_add_pd(_mm256_loadu_pd(cells + 2 * j), low));
        _mm256_storeu_pd(cells + 2 * j + 4, _mm256_add_pd(_mm256_loadu_pd(cells + 2 * j + 4), high));
    }
    return j;
}
#endif

static inline void rg_squares(const double *value, ptrdiff_t n, double *square, double *peak) {
    double a = 0, b = 0, c = 0, d = 0, top = 0, s;
    ptrdiff_t j = 0;
#if defined(RG_WIDE)
    if (n >= 16 && RG_HAS_WIDE) {
        double sums[4], tops[4];
        j = rg_squares_wide(value, n, sums, tops);
        a = sums[0], b = sums[1], c = sums[2], d = sums[3];
        for (int k = 0; k < 4; k++)
            top = tops[k] > top ? tops[k] : top;
    }
#endif
#if defined(__SSE2__)
    if (j + 4 <= n) {
        __m128d sum0 = _mm_setzero_pd(), sum1 = sum0, top0 = sum0, top1 = sum0, x, y;
        for (; j + 4 <= n; j += 4) {
            x = _mm_loadu_pd(value + j);
            y = _mm_loadu_pd(value + j + 2);
            x = _mm_mul_pd(x, x);
            y = _mm_mul_pd(y, y);
            sum0 = _mm_add_pd(sum0, x);
            sum1 = _mm_add_pd(sum1, y);
            top0 = _mm_max_pd(x, top0);
            top1 = _mm_max_pd(y, top1);
        }
        top0 = _mm_max_pd(top0, top1);
        a = _mm_cvtsd_f64(sum0), b = _mm_cvtsd_f64(_mm_unpackhi_pd(sum0, sum0));
        c = _mm_cvtsd_f64(sum1), d = _mm_cvtsd_f64(_mm_unpackhi_pd(sum1, sum1));
        top = _mm_cvtsd_f64(_mm_max_sd(top0, _mm_unpackhi_pd(top0, top0)));
    }
#else
    for (; j + 4 <= n; j += 4) {
        double squares[4];
        for (int k = 0; k < 4; k++) {
            s = squares[k] = value[j + k] * value[j + k];
            top = s > top ? s : top;
        }
        a += squares[0], b += squares[1], c += squares[2], d += squares[3];
    }
#endif
    for (; j < n; j++) {
        s = value[j] * value[j];
        a += s;
        top = s > top ? s : top;
    }
    *square = (a + b) + (c + d);
    *peak = top;
}

/* Σ v x over the cells (v, G) of a row; `solid`: they are the cells 0, 1, 2, … Four sums side by side: one after the
   other would wait for each addition. */
static inline double rg_dot(const double *cells, const int *index, const double *value, ptrdiff_t n, int solid) {
    double a = 0, b = 0, c = 0, d = 0;
    ptrdiff_t j = 0;
#if defined(RG_WIDE)
    if (solid && n >= 8 && RG_HAS_WIDE) {
        double sums[4];
        j = rg_dot_wide(cells, value, n, sums);
        a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    }
#endif
    for (; j + 4 <= n; j += 4) {
        a += cells[2 * (ptrdiff_t)index[j]] * value[j];
        b += cells[2 * (ptrdiff_t)index[j + 1]] * value[j + 1];
        c += cells[2 * (ptrdiff_t)index[j + 2]] * value[j + 2];
        d += cells[2 * (ptrdiff_t)index[j + 3]] * value[j + 3];
    }
    for (; j < n; j++)
        a += cells[2 * (ptrdiff_t)index[j]] * value[j];
    return (a + b) + (c + d);
}

/* v += a x and G += s x at the cells (v, G) of a row: two additions, one instruction. */
static inline void rg_move(double *cells, const int *index, const double *value, ptrdiff_t n, int solid, double a,
                           double s) {
    double *cell;
    ptrdiff_t j = 0;
#if defined(RG_WIDE)
    if (solid && n >= 8 && RG_HAS_WIDE)
        j = rg_move_wide(cells, value, n, a, s);
#endif
#if defined(__SSE2__)
    const __m128d both = _mm_set_pd(s, a);
    for (; j < n; j++) {
        cell = cells + 2 * (ptrdiff_t)index[j];
        _mm_storeu_pd(cell, _mm_add_pd(_mm_loadu_pd(cell), _mm_mul_pd(both, _mm_set1_pd(value[j]))));
    }
#else
    for (; j < n; j++) {
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

/* rg_squares and rg_rising at once. */
static inline int rg_walk(const int *index, const double *value, ptrdiff_t n, double *square, double *peak) {
#if defined(RG_WIDE)
    if (n >= 16 && RG_HAS_WIDE) {
        double sums[4], tops[4], top = 0, s;
        int rising;
        ptrdiff_t j = rg_walk_wide(index, value, n, sums, tops, &rising);
        for (; j < n; j++) {
            s = value[j] * value[j];
            sums[0] += s;
            tops[0] = s > tops[0] ? s : tops[0];
            rising &= index[j] > index[j - 1];
        }
        for (int k = 0; k < 4; k++)
            top = tops[k] > top ? tops[k] : top;
        *square = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        *peak = top;
        return rising;
    }
#endif
    rg_squares(value, n, square, peak);
    return rg_rising(index, n);
}
