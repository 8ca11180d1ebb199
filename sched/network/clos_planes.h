/* SPDX-License-Identifier: Apache-2.0 */
/* clos_planes: what crossbars do, put together from the 2×2 switches that would do the same.
 *
 * A lane has a number: 0 if no circuit is on it, i + 1 if what it has entered by input i of its
 * crossbar. Bit p of the numbers of 64 lanes is a word, so that a stage of switches moves 64 lanes
 * at once, whatever their crossbars are.
 */
#ifndef ROUNDCAST_CLOS_PLANES_H
#define ROUNDCAST_CLOS_PLANES_H

#include <stdint.h>

#define CLOS_PLANES_CHUNK 10 /* fields, at most, that are put at once */

/* How the fields of a stage stand in words of 32 bits. */
struct clos_fields {
    unsigned bits;           /* of each, 2 at least */
    uint32_t in_word, chunk; /* fields of a word, and those put at once, all or half of them */
    uint32_t spread[1 << CLOS_PLANES_CHUNK]; /* the bits of a chunk, each to where a field begins */
};

struct clos_fields clos_fields_of(unsigned bits);

/* The numbers of 2^log2_ports lanes.
 *     plane[count][benes_row_words + 1]    of 64 lanes each; behind the last, 0 */
struct clos_planes {
    unsigned log2_ports, count;
    uint64_t *plane;
};

/* Number lanes by the count - 1 bits, from `bit` on, of where they are.
 *     live[benes_row_words]    a bit for each lane: a circuit is on it */
void clos_planes_number(const struct clos_planes *planes, unsigned bit, const uint64_t live[]);

/* Carry the numbers through a stage of switches whose lanes differ in a bit (benes_topology.h).
 *     row[words] */
void clos_planes_carry(const struct clos_planes *planes, unsigned bit, const uint32_t row[]);

/* Put the numbers into fields, setting[]. */
void clos_planes_put(const struct clos_planes *planes, const struct clos_fields *fields,
                     uint32_t setting[]);

/* The lanes on which circuits are now, live[benes_row_words]. */
void clos_planes_live(const struct clos_planes *planes, uint64_t live[]);

#endif
