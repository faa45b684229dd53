/* Marks and usual features in registers of sixty-four bytes, where the processor turns out to have AVX-512 with VBMI2:
   what marks.h and usual.h find, bit for bit. */

#ifndef RG_WIDE_H
#define RG_WIDE_H

#include "marks.h"
#include "usual.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(RG_NARROW)
#include <immintrin.h>
#define RG_512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")))
#define RG_EIGHT(word) _mm512_set1_epi64((int64_t)(word))
#define RG_BYTES(byte) _mm512_set1_epi8(byte)

static inline int rg_is_wide(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

/* 0, 1, 2, … 63. */
RG_512 static inline __m512i rg_ranks(void) {
    const __m512i eights = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_or_si512(RG_EIGHT(0x0706050403020100), _mm512_mullo_epi64(eights, RG_EIGHT(0x0808080808080808)));
}

/* As rg_find_marks. */
RG_512 static ptrdiff_t rg_find_marks_wide(const unsigned char *text, ptrdiff_t at, ptrdiff_t end, rg_marks *found) {
    const __m512i ranks = rg_ranks();
    __m512i all = _mm512_setzero_si512();
    ptrdiff_t count = found->marks;
    for (; at < end && count + 64 <= found->room; at += 64) {
        __m512i x = _mm512_loadu_si512(text + at);
        uint64_t marks = _mm512_cmple_epu8_mask(x, RG_BYTES(' ')) | _mm512_cmpeq_epi8_mask(x, RG_BYTES(':')) |
                         _mm512_cmpeq_epi8_mask(x, RG_BYTES('|'));
        uint64_t lines = _mm512_cmpeq_epi8_mask(x, RG_BYTES('\n'));
        if (end - at < 64) {
            marks &= (1ULL << (end - at)) - 1;
            lines &= marks;
        }
        rg_find_lines(marks, lines, count, found);
        all = _mm512_or_si512(all, x);
        __m512i places = _mm512_maskz_compress_epi8(marks, ranks);
        int n = __builtin_popcountll(marks);
        for (int k = 0; k == 0 || k < n; k += 16) { /* mostly once */
            __m512i sixteen = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
            _mm512_storeu_si512(found->mark + count + k, _mm512_add_epi32(sixteen, _mm512_set1_epi32((int)at)));
            places = _mm512_alignr_epi64(places, places, 2);
        }
        count += n;
    }
    found->marks = count;
    found->high |= _mm512_movepi8_mask(all);
    return at < end ? at : end;
}

/* Eight names in a lane of eight bytes each: the first begins at p, all others behind the mark that ends a value. */
RG_512 static inline __m512i rg_eight_names(const unsigned char *text, const uint32_t *mark, ptrdiff_t p) {
    uint64_t word[8] = {rg_load(text + p)};
    for (int k = 1; k < 8; k++)
        word[k] = rg_load(text + mark[2 * k - 1] + 1);
    return _mm512_set_epi64((int64_t)word[7], (int64_t)word[6], (int64_t)word[5], (int64_t)word[4], (int64_t)word[3],
                            (int64_t)word[2], (int64_t)word[1], (int64_t)word[0]);
}

/* Every other of eight values in a lane of sixteen bytes each, the last of which is the mark that ends it. */
RG_512 static inline __m512i rg_four_values(const unsigned char *text, const uint32_t *mark) {
    __m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(text + mark[1] - 15)));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(text + mark[5] - 15)), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(text + mark[9] - 15)), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(text + mark[13] - 15)), 3);
}

/* The lowest byte of a lane of eight, all over a lane of sixteen: of every other of them, as the values lie; or of the
   same eight. */
RG_512 static inline __m512i rg_spread(__m512i lanes, int behind) {
    const __m512i front = _mm512_mullo_epi64(_mm512_set_epi64(6, 6, 4, 4, 2, 2, 0, 0), RG_EIGHT(0x0808080808080808));
    return _mm512_permutexvar_epi8(behind ? _mm512_add_epi8(front, RG_BYTES(8)) : front, lanes);
}

RG_512 static inline __m512i rg_spread_eight(__m512i lanes) {
    return _mm512_shuffle_epi8(lanes, _mm512_broadcast_i32x4(_mm_set_epi64x(0x0808080808080808, 0)));
}

/* A name is hashed as if it had eight bytes. Those that are 0 only multiply by the prime, which is taken back by this:
   1 / prime^(8 - n) modulo 2^64 for a name of n, at n + 1 modulo 8. */
static const uint64_t rg_unpadded[8] = {0xCE965057AFF6957BULL,
                                        0x1ULL,
                                        0x375026270DF5D953ULL,
                                        0xF30A275CB8C04809ULL,
                                        0xBA88EB8DEEBA674BULL,
                                        0xB10F8D2CA6BD8471ULL,
                                        0x9AF153DF54080C03ULL,
                                        0x501D877BC9AC6919ULL};

/* Positions of eight names, and which of the names are not as they should be; `size` is one more than that of the
   name. */
RG_512 static inline __mmask8 rg_hash_eight(__m512i word, __m512i size, uint64_t state, int digits, uint64_t mask,
                                            int *position) {
    const __m512i prime = RG_EIGHT(RG_PRIME);
    __mmask64 inside = _mm512_cmplt_epu8_mask(RG_EIGHT(0x0807060504030201), rg_spread_eight(size));
    __mmask8 odd = _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(size, RG_EIGHT(2)), RG_EIGHT(7));
    if (digits) {
        __m512i above = _mm512_maskz_subs_epu8(inside, _mm512_sub_epi8(word, RG_BYTES('0')), RG_BYTES(9));
        __mmask8 zero = _mm512_cmpeq_epi64_mask(_mm512_and_si512(word, RG_EIGHT(0xFF)), RG_EIGHT('0'));
        odd |= _mm512_test_epi64_mask(above, above) | _mm512_mask_cmpneq_epi64_mask(zero, size, RG_EIGHT(2));
    }
    word = _mm512_maskz_mov_epi8(inside, word);
    __m512i hash = RG_EIGHT(state);
    for (int k = 0; k < 8; k++) {
        /* 0x78: hash ^ (word & 0xFF) */
        hash = _mm512_mullo_epi64(_mm512_ternarylogic_epi64(hash, word, RG_EIGHT(0xFF), 0x78), prime);
        word = _mm512_srli_epi64(word, 8);
    }
    hash = _mm512_mullo_epi64(hash, _mm512_permutexvar_epi64(size, _mm512_loadu_si512(rg_unpadded)));
    hash = _mm512_mullo_epi64(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), RG_EIGHT(0xFF51AFD7ED558CCDULL));
    hash = _mm512_mullo_epi64(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), RG_EIGHT(0xC4CEB9FE1A85EC53ULL));
    hash = _mm512_and_si512(_mm512_xor_si512(hash, _mm512_srli_epi64(hash, 33)), RG_EIGHT(mask));
    _mm256_storeu_si256((__m256i *)position, _mm512_cvtepi64_epi32(hash));
    return odd;
}

/* Eight values of up to fourteen bytes, and which of them are not as they should be; `size` is one more than that of
   the value. In a are the first, the third, … in b the second, the fourth, …: halves of their lanes, of a and of b in
   turn, are in order again. */
RG_512 static inline __mmask8 rg_convert_eight(__m512i a, __m512i b, __m512i size, double *value) {
    const __m512i nothing = _mm512_setzero_si512(), ranks = _mm512_and_si512(rg_ranks(), RG_BYTES(15));
    __m512i c, d;

    /* The mark behind is a blank or ends the line, the one before is a colon. */
    __m512i mark = _mm512_srli_epi64(_mm512_unpackhi_epi64(a, b), 56);
    __mmask8 odd = _mm512_mask_cmpneq_epi64_mask(_mm512_cmpneq_epi64_mask(mark, RG_EIGHT('\n')), mark, RG_EIGHT(' '));
    c = _mm512_sub_epi8(RG_BYTES(15), rg_spread(size, 0));
    d = _mm512_sub_epi8(RG_BYTES(15), rg_spread(size, 1));
    mark = _mm512_unpacklo_epi64(_mm512_shuffle_epi8(a, c), _mm512_shuffle_epi8(b, d));
    odd |= _mm512_cmpneq_epi64_mask(mark, RG_EIGHT(0x0101010101010101 * ':'));

    /* The sign does not count. */
    c = _mm512_sub_epi8(RG_BYTES(16), rg_spread(size, 0));
    d = _mm512_sub_epi8(RG_BYTES(16), rg_spread(size, 1));
    __m512i first = _mm512_unpacklo_epi64(_mm512_shuffle_epi8(a, c), _mm512_shuffle_epi8(b, d));
    __mmask8 minus = _mm512_cmpeq_epi64_mask(first, RG_EIGHT(0x0101010101010101 * '-'));
    size = _mm512_mask_sub_epi64(size, minus, size, RG_EIGHT(1));

    /* What is not of the value is 0. Where the dot stands in the lane; 0 without one. */
    const __m512i dot = RG_BYTES('.' - '0');
    const __m512i back = _mm512_broadcast_i32x4(_mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, -1));
    a = _mm512_maskz_sub_epi8(_mm512_cmplt_epu8_mask(back, rg_spread(size, 0)), a, RG_BYTES('0'));
    b = _mm512_maskz_sub_epi8(_mm512_cmplt_epu8_mask(back, rg_spread(size, 1)), b, RG_BYTES('0'));
    c = _mm512_sad_epu8(_mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(a, dot), ranks), nothing);
    d = _mm512_sad_epu8(_mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(b, dot), ranks), nothing);
    __m512i dots = _mm512_add_epi64(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    __mmask8 dotted = _mm512_test_epi64_mask(dots, dots);
    odd |= _mm512_cmplt_epi64_mask(size, _mm512_mask_mov_epi64(RG_EIGHT(2), dotted, RG_EIGHT(3))); /* without a digit */

    /* What stands before the dot moves over it, all to the end of the lane. A second dot stays, and is no digit. */
    const __m512i next = _mm512_broadcast_i32x4(_mm_setr_epi8(-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
    const __m512i over = _mm512_broadcast_i32x4(_mm_setr_epi8(-1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    __mmask64 moves = _mm512_cmple_epi8_mask(next, rg_spread(dots, 0));
    a = _mm512_shuffle_epi8(a, _mm512_mask_mov_epi8(next, moves, over));
    moves = _mm512_cmple_epi8_mask(next, rg_spread(dots, 1));
    b = _mm512_shuffle_epi8(b, _mm512_mask_mov_epi8(next, moves, over));
    c = _mm512_subs_epu8(a, RG_BYTES(9));
    d = _mm512_subs_epu8(b, RG_BYTES(9));
    c = _mm512_or_si512(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    odd |= _mm512_test_epi64_mask(c, c);

    /* Digits to pairs, to fours, to eights, to a whole number; and that by the power of ten. */
    const __m512i tens = _mm512_set1_epi16(0x010A), hundreds = _mm512_set1_epi32(0x00010064);
    const __m512i myriads = _mm512_set1_epi32(0x00012710);
    a = _mm512_madd_epi16(_mm512_maddubs_epi16(a, tens), hundreds);
    b = _mm512_madd_epi16(_mm512_maddubs_epi16(b, tens), hundreds);
    a = _mm512_madd_epi16(_mm512_packus_epi32(a, b), myriads);
    a = _mm512_add_epi64(_mm512_mul_epu32(a, RG_EIGHT(100000000)), _mm512_srli_epi64(a, 32));
    __m512d power = _mm512_permutex2var_pd(_mm512_setr_pd(1e0, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7), dots,
                                           _mm512_setr_pd(1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1e0, 1e0));
    __m512d x = _mm512_div_pd(_mm512_cvtepi64_pd(a), power);
    _mm512_storeu_pd(value, _mm512_mask_xor_pd(x, minus, x, _mm512_set1_pd(-0.0)));
    return odd;
}

/* As rg_usual_narrow. */
RG_512 static ptrdiff_t rg_usual_wide(const unsigned char *text, const uint32_t *mark, ptrdiff_t p, ptrdiff_t most,
                                      uint64_t state, int digits, uint64_t mask, int *position, double *value) {
    for (ptrdiff_t j = 0; j < most; j += 8, mark += 16) {
        __m512i marks = _mm512_loadu_si512(mark), end = _mm512_srli_epi64(marks, 32);
        __m512i colon = _mm512_and_si512(marks, RG_EIGHT(0xFFFFFFFF));
        __m512i before = _mm512_alignr_epi64(end, RG_EIGHT(p - 1), 7);
        /* Both are one too large. To subtract one, the compiler makes a register of ones by an instruction that waits
           for what the register held before: for all of the last eight features. */
        __m512i name_size = _mm512_sub_epi64(colon, before), value_size = _mm512_sub_epi64(end, colon);
        unsigned odd = rg_hash_eight(rg_eight_names(text, mark, p), name_size, state, digits, mask, position + j);
        odd |= rg_convert_eight(rg_four_values(text, mark), rg_four_values(text, mark + 2), value_size, value + j);
        if (most - j < 8)
            odd &= (1U << (most - j)) - 1;
        if (odd)
            return j + __builtin_ctz(odd);
        p = mark[15] + 1;
    }
    return most;
}
#else

static inline int rg_is_wide(void) { return 0; }
#define rg_find_marks_wide rg_find_marks
#define rg_usual_wide rg_usual_narrow
#endif

#endif
