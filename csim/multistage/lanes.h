/* SPDX-License-Identifier: Apache-2.0 */
/* lanes: a column of switches over a vector of lanes, at the speed of the cache.
 *
 * In the geometry of benes.h a stage changes no wire: switch sw of a stage with bit b
 * pairs the lanes low = (sw >> b << (b+1)) | (sw & (2^b - 1)) and high = low | 2^b. N = 8, b = 1:
 *
 *     row bit   0     1     2     3
 *     lanes    0,2   1,3   4,6   5,7
 */
#ifndef ROUNDCAST_LANES_H
#define ROUNDCAST_LANES_H

#include <stdint.h>

/* Computes out[low], out[high] = in[low], in[high] of every switch, exchanged where its row bit is
 * set.
 *
 * in, out    [lanes], 64-byte aligned and padded to a multiple of 16 lanes, not overlapping (csim
 *            vectors are so); the padding of `out` is overwritten with unspecified values
 * row        [benes_row_words]: a bit per switch, switch 0 in bit 0 of word 0
 * bit        b; 2^b < lanes
 * lanes      a power of two, 2 …
 */
typedef void lanes_switch_column(uint32_t *restrict out, const uint32_t *restrict in,
                                 const uint32_t *restrict row, unsigned bit, uint32_t lanes);

/* Computes out[lane] = in[lane], or in[lane ^ 2^b] where the row bit of the lane is set: switches
 * that copy. The arguments are as above, except row[⌈lanes / 32⌉], which has a bit per lane. */
typedef void lanes_copy_column(uint32_t *restrict out, const uint32_t *restrict in,
                               const uint32_t *restrict row, unsigned bit, uint32_t lanes);

/* Computes out[lane] = in[source[lane]], or 0 if that lane does not exist: columns of any other
 * kind. in[lanes_in], out[lanes] and source[lanes] are as above; lanes_in and lanes may be any
 * numbers. */
typedef void lanes_take_column(uint32_t *restrict out, const uint32_t *restrict in,
                               const uint32_t *restrict source, uint32_t lanes_in, uint32_t lanes);

struct lanes_columns {
    lanes_switch_column *switches;
    lanes_copy_column *copies;
    lanes_take_column *takes;
};

/* Returns the fastest columns that this CPU supports. */
const struct lanes_columns *lanes_columns(void);

/* The columns for a CPU without AVX-512; public so that they can be tested on a CPU with
 * AVX-512. */
extern const struct lanes_columns lanes_portable;

/* Returns the columns, or NULL if this CPU lacks a required extension. */
const struct lanes_columns *lanes_avx512(void);

#endif
