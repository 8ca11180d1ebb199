/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/lanes.h"

#include "csim/shell/octet.h"

#include <stddef.h>

/* Returns the row bits of a chunk of `count` switches or lanes (a divisor of 32). Higher bits of
 * the result may be set. */
static inline uint32_t row_bits(const uint32_t *row, uint32_t chunk, uint32_t count)
{
    return row[chunk * count / 32] >> (chunk * count % 32);
}

/* (a ^ b) in the lanes whose bit of `bits` is set, otherwise 0: `select` is the mask of each lane's
 * bit. XOR of the result into both a and b exchanges them. */
#define DIFFERENCE(a, b, bits, select) \
    (((a) ^ (b)) & (octet)((((octet){0} + (bits)) & (select)) == (select)))

/* A stage with b < 3: the bits of `count` switches or lanes select, among eight adjacent lanes, the
 * lanes that receive the word of their partner; `...` lists the partners. */
#define COLUMN_WITHIN(count, select, ...)                                                        \
    for (uint32_t chunk = 0; chunk < (lanes + 7) / 8; chunk++) {                                 \
        octet a = *(const octet *)(in + chunk * 8);                                              \
        octet b = __builtin_shufflevector(a, a, __VA_ARGS__);                                    \
        *(octet *)(out + chunk * 8) = a ^ DIFFERENCE(a, b, row_bits(row, chunk, count), select); \
    }
#define PARTNERS_0 1, 0, 3, 2, 5, 4, 7, 6
#define PARTNERS_1 2, 3, 0, 1, 6, 7, 4, 5
#define PARTNERS_2 4, 5, 6, 7, 0, 1, 2, 3

OCTET_FOR_EVERY_CPU
static void portable_switch(uint32_t *restrict out, const uint32_t *restrict in,
                            const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    if (bit == 0) {
        const octet select = {1, 1, 2, 2, 4, 4, 8, 8};
        COLUMN_WITHIN(4, select, PARTNERS_0)
    } else if (bit == 1) {
        const octet select = {1, 2, 1, 2, 4, 8, 4, 8};
        COLUMN_WITHIN(4, select, PARTNERS_1)
    } else if (bit == 2) {
        const octet select = {1, 2, 4, 8, 1, 2, 4, 8};
        COLUMN_WITHIN(4, select, PARTNERS_2)
    } else { /* eight switches use eight adjacent low lanes and eight adjacent high lanes */
        const octet select = {1, 2, 4, 8, 16, 32, 64, 128};
        for (uint32_t chunk = 0; chunk < lanes / 16; chunk++) {
            uint32_t low =
                (chunk * 8 >> bit << (bit + 1)) | (chunk * 8 & ((UINT32_C(1) << bit) - 1));
            uint32_t high = low | UINT32_C(1) << bit;
            octet a = *(const octet *)(in + low);
            octet b = *(const octet *)(in + high);
            octet difference = DIFFERENCE(a, b, row_bits(row, chunk, 8), select);
            *(octet *)(out + low) = a ^ difference;
            *(octet *)(out + high) = b ^ difference;
        }
    }
}

OCTET_FOR_EVERY_CPU
static void portable_copy(uint32_t *restrict out, const uint32_t *restrict in,
                          const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    const octet select = {1, 2, 4, 8, 16, 32, 64, 128};
    if (bit == 0) {
        COLUMN_WITHIN(8, select, PARTNERS_0)
    } else if (bit == 1) {
        COLUMN_WITHIN(8, select, PARTNERS_1)
    } else if (bit == 2) {
        COLUMN_WITHIN(8, select, PARTNERS_2)
    } else {
        for (uint32_t chunk = 0; chunk < lanes / 8; chunk++) {
            octet a = *(const octet *)(in + chunk * 8);
            octet b = *(const octet *)(in + (chunk * 8 ^ UINT32_C(1) << bit));
            *(octet *)(out + chunk * 8) = a ^ DIFFERENCE(a, b, row_bits(row, chunk, 8), select);
        }
    }
}

static void portable_take(uint32_t *restrict out, const uint32_t *restrict in,
                          const uint32_t *restrict source, uint32_t lanes_in, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        out[lane] = source[lane] < lanes_in ? in[source[lane]] : 0;
}

const struct lanes_columns lanes_portable = {portable_switch, portable_copy, portable_take};

const struct lanes_columns *lanes_columns(void)
{
    const struct lanes_columns *fast = lanes_avx512();
    return fast != NULL ? fast : &lanes_portable;
}
