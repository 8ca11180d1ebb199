/* SPDX-License-Identifier: Apache-2.0 */
/* multicast_planes: sets the first two networks of a multicast network, which concentrate words and
 * copy them (multicast.c).
 *
 * A word holds bit p of the numbers of 64 lanes, so that 64 switches are set at once. A stage
 * examines one bit of the numbers, and moves the bits that later stages need.
 */
#ifndef ROUNDCAST_MULTICAST_PLANES_H
#define ROUNDCAST_MULTICAST_PLANES_H

#include <stdint.h>

/* Numbers of 2^log2_ports lanes: planes[benes_row_words][count], 64 lanes in a word.
 *     index, log2_ports + 1 bits        of the word on a lane, among those that are sent
 *     lo, hi, log2_ports bits each     the first and the last position that the word is to fill
 * A lane without a word has the numbers MULTICAST_NO_WORD, MULTICAST_NO_WORD and 0, whose bits move
 * nothing. */
struct multicast_planes {
    unsigned log2_ports;
    uint64_t *index, *lo, *hi;
};

#define MULTICAST_NO_WORD UINT32_MAX

/* Transposes `count` bits of value[64 · benes_row_words] into plane[benes_row_words][count]. */
void multicast_planes_slice(const struct multicast_planes *planes, const uint32_t value[],
                            unsigned count, uint64_t plane[]);

/* Sets the stages of both networks in row[stages][words of 32 lanes], which must be 0. Planes are
 * overwritten. O(ports · log² ports / 64). */
void multicast_planes_pass(const struct multicast_planes *planes, uint32_t *row);

#endif
