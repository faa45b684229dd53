/* The innermost loops of a round, several lanes side by side. The lanes are spelt out, not left to the compiler, so that
   every machine adds in the same order; where there is SSE2 (every x86-64) lanes share an instruction. */

#include <math.h>
#include <stddef.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* What is read once goes past the larger caches: they are for the weights. Enough is asked for ahead to hide the memory. */
#if defined(__GNUC__)
#define RG_PASSING(at) __builtin_prefetch((at) + 256, 0, 0)
#else
#define RG_PASSING(at) ((void)0)
#endif

/* The same lanes four to an instruction, where the processor turns out to have AVX2: the same sums, bit for bit. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(RG_NARROW)
#include <immintrin.h>
#define RG_WIDE __attribute__((target("avx2")))
#define RG_HAS_WIDE __builtin_cpu_supports("avx2")

/* Of the cells 0, 1, 2, …, which need no index: Σ v x, Σ x² and the largest x² in lanes. */
RG_WIDE static ptrdiff_t rg_meet_wide(const double *cells, const double *value, ptrdiff_t n, double *sums,
                                      double *squares, double *tops) {
    __m256d sum = _mm256_setzero_pd(), square = sum, top = sum, v, x;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4) {
        RG_PASSING(value + j);
        v = _mm256_unpacklo_pd(_mm256_loadu_pd(cells + 2 * j), _mm256_loadu_pd(cells + 2 * j + 4)); /* 0, 2, 1, 3 */
        x = _mm256_loadu_pd(value + j);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_permute4x64_pd(v, 0xD8), x));
        x = _mm256_mul_pd(x, x);
        square = _mm256_add_pd(square, x);
        top = _mm256_max_pd(x, top);
    }
    _mm256_storeu_pd(sums, sum);
    _mm256_storeu_pd(squares, square);
    _mm256_storeu_pd(tops, top);
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

/* rg_adapt, below. */
RG_WIDE static ptrdiff_t rg_adapt_wide(double *cells, double *H, const int *index, const double *value, ptrdiff_t n,
                                       double g, double eta, double s) {
    const __m256d all_g = _mm256_set1_pd(g), all_eta = _mm256_set1_pd(-eta), all_s = _mm256_set1_pd(s);
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4) {
        const int *at = index + j;
        const __m256d x = _mm256_loadu_pd(value + j), gx = _mm256_mul_pd(all_g, x), entry = _mm256_mul_pd(all_s, x);
        const __m128d low = _mm_loadh_pd(_mm_load_sd(H + at[0]), H + at[1]);
        const __m128d high = _mm_loadh_pd(_mm_load_sd(H + at[2]), H + at[3]);
        __m256d h = _mm256_add_pd(_mm256_set_m128d(high, low), _mm256_mul_pd(gx, gx)), step;
        double hs[4], moves[8];
        _mm256_storeu_pd(hs, h);
        h = _mm256_sqrt_pd(h);
        step = _mm256_div_pd(_mm256_mul_pd(all_eta, gx), h);
        step = _mm256_and_pd(step, _mm256_cmp_pd(h, _mm256_setzero_pd(), _CMP_GT_OQ));
        _mm256_storeu_pd(moves, _mm256_unpacklo_pd(step, entry)); /* of 0 and 2 */
        _mm256_storeu_pd(moves + 4, _mm256_unpackhi_pd(step, entry)); /* of 1 and 3 */
        for (int k = 0; k < 4; k++) {
            double *cell = cells + 2 * (ptrdiff_t)at[k], *move = moves + 4 * (k & 1) + (k & 2);
            H[at[k]] = hs[k];
            _mm_storeu_pd(cell, _mm_add_pd(_mm_loadu_pd(cell), _mm_loadu_pd(move)));
        }
    }
    return j;
}
#endif

/* ‖x‖₂² and the largest square. */
static inline void rg_squares(const double *value, ptrdiff_t n, double *square, double *peak) {
    double a = 0, b = 0, c = 0, d = 0, top = 0, s;
    ptrdiff_t j = 0;
#if defined(__SSE2__)
    if (n >= 4) {
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

/* ‖x‖∞ from the largest square: √(x²) is |x| exactly, unless x² is too small for a double. */
static inline double rg_peak(const double *value, ptrdiff_t n, double top) {
    double peak = 0;
    if (top >= 1e-290)
        return sqrt(top);
    for (ptrdiff_t j = 0; j < n; j++)
        peak = fabs(value[j]) > peak ? fabs(value[j]) : peak;
    return peak;
}

/* Whether index[j … j + 3] are each above the one before it, none below 0 and none at or above the limit. */
static inline int rg_rise(const int *index, ptrdiff_t j, int limit) {
#if defined(__SSE2__)
    __m128i here = _mm_loadu_si128((const __m128i *)(index + j)), before;
    if (j > 0)
        before = _mm_loadu_si128((const __m128i *)(index + j - 1));
    else
        before = _mm_or_si128(_mm_slli_si128(here, 4), _mm_setr_epi32(-1, 0, 0, 0));
    here = _mm_and_si128(_mm_cmpgt_epi32(here, before), _mm_cmpgt_epi32(_mm_set1_epi32(limit), here));
    return _mm_movemask_epi8(here) == 0xFFFF;
#else
    int low = j > 0 ? index[j - 1] : -1;
    return index[j] > low && index[j + 1] > index[j] && index[j + 2] > index[j + 1] && index[j + 3] > index[j + 2] &&
           index[j + 3] < limit;
#endif
}

/* Whether all of a row's are. */
static inline int rg_right(const int *index, ptrdiff_t n, int limit) {
    int right = 1;
    ptrdiff_t j = 0;
    for (; j + 4 <= n; j += 4)
        right &= rg_rise(index, j, limit);
    for (; j < n; j++)
        right &= index[j] > (j > 0 ? index[j - 1] : -1) && index[j] < limit;
    return right;
}

/* All that is asked of a row in one walk, since a row may be larger than the cache: Σ v x over its cells (v, G), Σ x², and
   the largest x². Four sums side by side: one after the other would wait for each addition. The
   indices must rise and stay below the limit: the walk ends at the first that does not, before it is followed, and *sound
   is 0. A limit below 0: they are known to be right. */
static inline double rg_walk(const double *cells, const int *index, const double *value, ptrdiff_t n, int limit,
                             double *square, double *top, int *sound) {
    double a = 0, b = 0, c = 0, d = 0, squares[4] = {0, 0, 0, 0}, tops[2] = {0, 0}, s;
    ptrdiff_t j = 0;
    *sound = 0;
#if defined(__SSE2__)
    __m128d square0 = _mm_setzero_pd(), square1 = square0, top0 = square0, top1 = square0, x, y;
#endif
    for (; j + 4 <= n; j += 4) {
        if (limit >= 0 && !rg_rise(index, j, limit))
            return 0;
        RG_PASSING(value + j);
        RG_PASSING(index + j);
        a += cells[2 * (ptrdiff_t)index[j]] * value[j];
        b += cells[2 * (ptrdiff_t)index[j + 1]] * value[j + 1];
        c += cells[2 * (ptrdiff_t)index[j + 2]] * value[j + 2];
        d += cells[2 * (ptrdiff_t)index[j + 3]] * value[j + 3];
#if defined(__SSE2__)
        x = _mm_loadu_pd(value + j);
        y = _mm_loadu_pd(value + j + 2);
        x = _mm_mul_pd(x, x);
        y = _mm_mul_pd(y, y);
        square0 = _mm_add_pd(square0, x);
        square1 = _mm_add_pd(square1, y);
        top0 = _mm_max_pd(x, top0);
        top1 = _mm_max_pd(y, top1);
    }
    _mm_storeu_pd(squares, square0);
    _mm_storeu_pd(squares + 2, square1);
    _mm_storeu_pd(tops, _mm_max_pd(top0, top1));
#else
        for (int k = 0; k < 4; k++) {
            s = value[j + k] * value[j + k];
            squares[k] += s;
            tops[0] = s > tops[0] ? s : tops[0];
        }
    }
#endif
    for (; j < n; j++) {
        if (limit >= 0 && (index[j] <= (j > 0 ? index[j - 1] : -1) || index[j] >= limit))
            return 0;
        a += cells[2 * (ptrdiff_t)index[j]] * value[j];
        s = value[j] * value[j];
        squares[0] += s;
        tops[0] = s > tops[0] ? s : tops[0];
    }
    *sound = 1;
    *square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    *top = tops[0] > tops[1] ? tops[0] : tops[1];
    return (a + b) + (c + d);
}

/* Σ v x over the cells of a row, its ‖x‖₂² and its ‖x‖∞. `solid`: they are the cells 0, 1, 2, …; else a limit
   of at least 0 says that the indices are still to be looked at. */
static inline double rg_meet(const double *cells, const int *index, const double *value, ptrdiff_t n, int solid,
                             int limit, double *square, double *peak, int *sound) {
    double dot;
#if defined(RG_WIDE)
    if (solid && n >= 8 && RG_HAS_WIDE) {
        double sums[4], squares[4], tops[4], top = 0, s;
        ptrdiff_t j = rg_meet_wide(cells, value, n, sums, squares, tops);
        for (; j < n; j++) {
            sums[0] += cells[2 * j] * value[j];
            s = value[j] * value[j];
            squares[0] += s;
            tops[0] = s > tops[0] ? s : tops[0];
        }
        for (int k = 0; k < 4; k++)
            top = tops[k] > top ? tops[k] : top;
        *square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
        *peak = rg_peak(value, n, top);
        *sound = 1;
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
#endif
    if (limit >= 0)
        dot = rg_walk(cells, index, value, n, limit, square, peak, sound);
    else
        dot = rg_walk(cells, index, value, n, -1, square, peak, sound);
    if (*sound)
        *peak = rg_peak(value, n, *peak);
    return dot;
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
#pragma GCC unroll 4
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

/* AdaGrad's step at the cells of a row: H += (g x)², v −= η g x/√H and G += s x; a coordinate whose H is 0 stays where it
   is. Two at a time: roots and quotients are what takes long. */
static inline void rg_adapt(double *cells, double *H, const int *index, const double *value, ptrdiff_t n, double g,
                            double eta, double s) {
    double *cell, slope, root;
    ptrdiff_t j = 0;
#if defined(RG_WIDE)
    if (n >= 8 && RG_HAS_WIDE)
        j = rg_adapt_wide(cells, H, index, value, n, g, eta, s);
#endif
#if defined(__SSE2__)
    const __m128d both_g = _mm_set1_pd(g), both_eta = _mm_set1_pd(-eta), both_s = _mm_set1_pd(s);
    __m128d x, gx, h, step, entry;
    for (; j + 2 <= n; j += 2) {
        x = _mm_loadu_pd(value + j);
        gx = _mm_mul_pd(both_g, x);
        h = _mm_loadh_pd(_mm_load_sd(H + index[j]), H + index[j + 1]);
        h = _mm_add_pd(h, _mm_mul_pd(gx, gx));
        _mm_storel_pd(H + index[j], h);
        _mm_storeh_pd(H + index[j + 1], h);
        h = _mm_sqrt_pd(h);
        step = _mm_and_pd(_mm_div_pd(_mm_mul_pd(both_eta, gx), h), _mm_cmpgt_pd(h, _mm_setzero_pd()));
        entry = _mm_mul_pd(both_s, x);
        cell = cells + 2 * (ptrdiff_t)index[j];
        _mm_storeu_pd(cell, _mm_add_pd(_mm_loadu_pd(cell), _mm_unpacklo_pd(step, entry)));
        cell = cells + 2 * (ptrdiff_t)index[j + 1];
        _mm_storeu_pd(cell, _mm_add_pd(_mm_loadu_pd(cell), _mm_unpackhi_pd(step, entry)));
    }
#endif
    for (; j < n; j++) {
        cell = cells + 2 * (ptrdiff_t)index[j];
        slope = g * value[j];
        root = sqrt(H[index[j]] += slope * slope);
        if (root > 0)
            cell[0] -= eta * slope / root;
        cell[1] += s * value[j];
    }
}
