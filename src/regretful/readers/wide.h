/* Marks and usual features in registers of sixty-four bytes, where the processor turns out to have AVX-512 with VBMI2: what
   marks.h and usual.h do in narrow ones, bit for bit. */

#ifndef RG_WIDE_H
#define RG_WIDE_H

#include "marks.h"
#include "usual.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(RG_NARROW)
#include <immintrin.h>
#define RG_VBMI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")))

static inline int rg_is_wide(void) {
    return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2");
}

/* As rg_find_marks. */
RG_VBMI static ptrdiff_t rg_find_marks_wide(const unsigned char *text, ptrdiff_t at, ptrdiff_t end, rg_marks *found) {
    const __m512i places = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35,
        34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
        4, 3, 2, 1, 0);
    __m512i any = _mm512_setzero_si512();
    ptrdiff_t count = found->marks;
    for (; at < end && count + 64 <= found->room; at += 64) {
        __m512i x = _mm512_loadu_si512(text + at);
        uint64_t marks = _mm512_cmple_epu8_mask(x, _mm512_set1_epi8(' ')) |
                         _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(':')) |
                         _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('|'));
        uint64_t lines = _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\n')), below = ~0ULL;
        if (end - at < 64)
            below = (1ULL << (end - at)) - 1;
        marks &= below;
        any = _mm512_or_si512(any, x);
        rg_find_lines(marks, lines & below, count, found);
        __m512i place = _mm512_maskz_compress_epi8(marks, places), base = _mm512_set1_epi32((int)at);
        int n = __builtin_popcountll(marks);
        for (int k = 0; k == 0 || k < n; k += 16) { /* mostly once */
            __m512i mark = _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(place)));
            _mm512_storeu_si512(found->mark + count + k, mark);
            place = _mm512_alignr_epi64(place, place, 2);
        }
        count += n;
    }
    found->marks = count;
    found->high |= _mm512_movepi8_mask(any);
    return at < end ? at : end;
}

/* The last sixteen bytes up to the ends of four features. */
RG_VBMI static inline __m512i rg_four_ends(const unsigned char *text, const uint32_t *mark) {
    __m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(text + mark[1] - 15)));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(text + mark[5] - 15)), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(text + mark[9] - 15)), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(text + mark[13] - 15)), 3);
}

/* Eight features, as rg_usual_narrow. Names lie in eight lanes of eight bytes; values in two times four lanes of sixteen, one register for
   features 0, 2, 4, 6 and one for 1, 3, 5, 7, so that two halves of their lanes, interleaved, are in order again. */
RG_VBMI static inline __attribute__((always_inline)) unsigned rg_eight_usual(const unsigned char *text, const uint32_t *mark,
                                        ptrdiff_t p, uint64_t state,
                                        int digits, uint64_t mask, int *position, double *value) {
#define RG_ALL8(x) _mm512_set1_epi8(x)
#define RG_ALL(x) _mm512_set1_epi64(x)
    const __m512i rank8 = RG_ALL(0x0706050403020100), prime = RG_ALL(RG_PRIME);
    const __m512i rank16 = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m512i evens = _mm512_set_epi64(0x3030303030303030, 0x3030303030303030, 0x2020202020202020, 0x2020202020202020,
                                           0x1010101010101010, 0x1010101010101010, 0, 0);
    const __m512i odds = _mm512_add_epi8(evens, RG_ALL8(8));
    const __m512i spread8 = _mm512_set_epi64(0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0,
                                             0x0808080808080808, 0);
    __m512i marks = _mm512_loadu_si512(mark), end = _mm512_srli_epi64(marks, 32);
    __m512i colon = _mm512_and_si512(marks, RG_ALL(0xFFFFFFFF));
    __m512i before = _mm512_alignr_epi64(end, RG_ALL(p - 1), 7);
    __m512i name_size = _mm512_sub_epi64(_mm512_sub_epi64(colon, before), RG_ALL(1));
    __m512i value_size = _mm512_sub_epi64(_mm512_sub_epi64(end, colon), RG_ALL(1));

    /* Names: what is not of them is 0. */
    __m512i word = _mm512_set_epi64(
        (int64_t)rg_load(text + mark[13] + 1), (int64_t)rg_load(text + mark[11] + 1), (int64_t)rg_load(text + mark[9] + 1),
        (int64_t)rg_load(text + mark[7] + 1), (int64_t)rg_load(text + mark[5] + 1), (int64_t)rg_load(text + mark[3] + 1),
        (int64_t)rg_load(text + mark[1] + 1), (int64_t)rg_load(text + p));
    __mmask64 name = _mm512_cmplt_epu8_mask(rank8, _mm512_shuffle_epi8(name_size, spread8));
    __mmask8 odd = _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(name_size, RG_ALL(1)), RG_ALL(7));
    __m512i strange = _mm512_setzero_si512(); /* bytes that are not digits where they should be */
    if (digits) {
        strange = _mm512_maskz_subs_epu8(name, _mm512_sub_epi8(word, RG_ALL8('0')), RG_ALL8(9));
        odd |= _mm512_mask_cmpeq_epi64_mask(_mm512_cmpneq_epi64_mask(name_size, RG_ALL(1)),
                                            _mm512_and_si512(word, RG_ALL(0xFF)), RG_ALL('0'));
    }
    word = _mm512_maskz_mov_epi8(name, word);
    __m512i hash = RG_ALL((int64_t)state);
    for (int k = 0; k < 8; k++) {
        hash = _mm512_mullo_epi64(_mm512_ternarylogic_epi64(hash, word, RG_ALL(0xFF), 0x78), prime); /* hash ^ (word & 0xFF) */
        word = _mm512_srli_epi64(word, 8);
    }
    hash = _mm512_mullo_epi64(hash, _mm512_permutexvar_epi64(name_size, _mm512_loadu_si512(rg_unpadded)));
    hash = _mm512_mullo_epi64(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), RG_ALL((int64_t)0xFF51AFD7ED558CCD));
    hash = _mm512_mullo_epi64(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), RG_ALL((int64_t)0xC4CEB9FE1A85EC53));
    hash = _mm512_and_si512(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), RG_ALL((int64_t)mask));
    _mm256_storeu_si256((__m256i *)position, _mm512_cvtepi64_epi32(hash));

    /* Values: byte 15 of a lane is the end, 14 the last of the value, 14 - size the colon. */
    __m512i a = rg_four_ends(text, mark), b = rg_four_ends(text, mark + 2), u, v;
    u = _mm512_sub_epi8(RG_ALL8(14), _mm512_permutexvar_epi8(evens, value_size));
    v = _mm512_sub_epi8(RG_ALL8(14), _mm512_permutexvar_epi8(odds, value_size));
    __m512i colons = _mm512_unpacklo_epi64(_mm512_shuffle_epi8(a, u), _mm512_shuffle_epi8(b, v));
    odd |= _mm512_cmpneq_epi64_mask(colons, RG_ALL(0x0101010101010101 * ':'));
    u = _mm512_add_epi8(u, RG_ALL8(1));
    v = _mm512_add_epi8(v, RG_ALL8(1));
    __m512i firsts = _mm512_unpacklo_epi64(_mm512_shuffle_epi8(a, u), _mm512_shuffle_epi8(b, v));
    __mmask8 minus = _mm512_cmpeq_epi64_mask(firsts, RG_ALL(0x0101010101010101 * '-'));
    value_size = _mm512_mask_sub_epi64(value_size, minus, value_size, RG_ALL(1));
    __m512i last = _mm512_srli_epi64(_mm512_unpackhi_epi64(a, b), 56);
    odd |= _mm512_mask_cmpneq_epi64_mask(_mm512_cmpneq_epi64_mask(last, RG_ALL('\n')), last, RG_ALL(' '));

    /* Byte k of a lane is worth 10^(14 - k); it is of the value if 14 - k is less than its size. */
    const __m512i worth = _mm512_sub_epi8(RG_ALL8(14), rank16);
    a = _mm512_maskz_sub_epi8(_mm512_cmplt_epu8_mask(worth, _mm512_permutexvar_epi8(evens, value_size)), a, RG_ALL8('0'));
    b = _mm512_maskz_sub_epi8(_mm512_cmplt_epu8_mask(worth, _mm512_permutexvar_epi8(odds, value_size)), b, RG_ALL8('0'));
    /* How many digits and dot stand from the dot on; 0 without one. */
    const __m512i dot = RG_ALL8('.' - '0'), behind = _mm512_sub_epi8(RG_ALL8(15), rank16), none = _mm512_setzero_si512();
    u = _mm512_sad_epu8(_mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(a, dot), behind), none);
    v = _mm512_sad_epu8(_mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(b, dot), behind), none);
    __m512i dots = _mm512_add_epi64(_mm512_unpacklo_epi64(u, v), _mm512_unpackhi_epi64(u, v));
    odd |= _mm512_cmple_epi64_mask(value_size, _mm512_min_epu64(dots, RG_ALL(1)));
    /* What stands before the dot moves up to what stands behind it, and all to the end of the lane. */
    __m512i fraction = _mm512_sub_epi64(dots, RG_ALL(1));
    const __m512i place = _mm512_sub_epi8(RG_ALL8(15), rank16);
    a = _mm512_mask_mov_epi8(_mm512_bslli_epi128(a, 2), _mm512_cmplt_epu8_mask(place, _mm512_permutexvar_epi8(evens, fraction)), _mm512_bslli_epi128(a, 1));
    b = _mm512_mask_mov_epi8(_mm512_bslli_epi128(b, 2), _mm512_cmplt_epu8_mask(place, _mm512_permutexvar_epi8(odds, fraction)), _mm512_bslli_epi128(b, 1));
    u = _mm512_subs_epu8(a, RG_ALL8(9));
    v = _mm512_subs_epu8(b, RG_ALL8(9));
    strange = _mm512_or_si512(strange, _mm512_or_si512(_mm512_unpacklo_epi64(u, v), _mm512_unpackhi_epi64(u, v)));
    odd |= _mm512_test_epi64_mask(strange, strange);
    /* Digits to pairs, to fours, to eights, to whole numbers. */
    const __m512i ten = _mm512_set1_epi16(0x010A), hundred = _mm512_set1_epi32(0x00010064), myriad = _mm512_set1_epi32(0x00012710);
    a = _mm512_madd_epi16(_mm512_maddubs_epi16(a, ten), hundred);
    b = _mm512_madd_epi16(_mm512_maddubs_epi16(b, ten), hundred);
    a = _mm512_madd_epi16(_mm512_packus_epi32(a, b), myriad);
    a = _mm512_add_epi64(_mm512_mul_epu32(a, RG_ALL(100000000)), _mm512_srli_epi64(a, 32));
    __m512d power = _mm512_permutex2var_pd(_mm512_setr_pd(1e0, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6), dots,
                                           _mm512_setr_pd(1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14));
    __m512d x = _mm512_div_pd(_mm512_cvtepi64_pd(a), power);
    _mm512_storeu_pd(value, _mm512_mask_xor_pd(x, minus, x, _mm512_set1_pd(-0.0)));
    return odd;
#undef RG_ALL8
#undef RG_ALL
}

/* As rg_usual_narrow. */
RG_VBMI static ptrdiff_t rg_usual_wide(const unsigned char *text, const uint32_t *mark, ptrdiff_t p, ptrdiff_t most,
                                       uint64_t state, int digits, uint64_t mask, int *position, double *value) {
    for (ptrdiff_t j = 0; j < most; j += 8) {
        unsigned odd = rg_eight_usual(text, mark + 2 * j, p, state, digits, mask, position + j, value + j);
        if (most - j < 8)
            odd &= (1U << (most - j)) - 1;
        if (odd)
            return j + __builtin_ctz(odd);
        p = mark[2 * j + 15] + 1;
    }
    return most;
}
#endif

#endif
