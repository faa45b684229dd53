/* Sums of squares and largest sizes, four lanes side by side. The lanes are spelt out, not left to the compiler, so
   that every machine adds in the same order; where there is SSE2 (every x86-64) two lanes share an instruction. */

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
