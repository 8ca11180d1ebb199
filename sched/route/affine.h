/* SPDX-License-Identifier: Apache-2.0 */
/* affine: maps of port numbers that are affine over GF(2). Finds the map that a round is part of,
 * the masks of the map, and the rows that can share a map.
 *
 * N = 2^K ports; a port number is a vector of K bits. An affine map takes port x to A x + c, where
 * A is an invertible K×K matrix of bits and + is xor: the linear-complement permutations. They
 * include complements (A = 1), bit-permute-complements (A permutes bits) and therefore shuffles,
 * bit reversal and transposition, Gray codes, and the shifts by multiples of N/4. There are 2^K
 * (2^K - 1)(2^K - 2)(2^K - 4) … (2^K - 2^(K-1)) affine maps: 2, 24, 1344 for N = 2, 4, 8.
 *
 * A round, in which ports may be idle, determines the map for some ports; K + 1 ports in general
 * position determine the whole map. The known part is stored as pairs {1, x} → {1, y} of a linear
 * map of K + 1 bits. A map with these pairs exists if
 *
 *     no sum of pairs is 0 on the left only      the pairs define a map
 *     no sum of pairs is 0 on the right only     the map is invertible
 *
 * because the known part can then be completed: vectors that are not a sum on the left are mapped
 * to any vectors that are not a sum on the right. */
#ifndef ROUNDCAST_AFFINE_H
#define ROUNDCAST_AFFINE_H

#include "sched/machine/machine.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

/* --- Affine maps -------------------------------------------------------------------------- */

#define AFFINE_MOST_BITS MULTISTAGE_MAX_LOG2_PORTS

struct affine {
    unsigned bits;                     /* K */
    uint32_t column[AFFINE_MOST_BITS]; /* column j of A: the image of bit j of x, without c */
    uint32_t constant;                 /* c */
};

/* Returns A x + c. O(K). */
static inline uint32_t affine_apply(const struct affine *map, uint32_t x)
{
    uint32_t y = map->constant;
    for (unsigned j = 0; j < map->bits; j++)
        y ^= -(x >> j & 1) & map->column[j];
    return y;
}

/* Returns the remainder of a vector after basis[count] has cleared as many of its lowest `count`
 * bits as possible. basis[b] has b as its highest bit among these, or is 0. O(count). */
static inline uint32_t affine_reduce(const uint32_t basis[], unsigned count, uint32_t vector)
{
    for (unsigned bit = count; bit-- > 0;)
        if (vector >> bit & 1)
            vector ^= basis[bit];
    return vector;
}

/* The known part of a map, in echelon form: in[b], whose highest bit is b, is mapped to out[b];
 * image[b], whose highest bit is also b, is a sum of some out[]. Unknown entries are 0. */
struct affine_part {
    unsigned bits;
    uint32_t in[AFFINE_MOST_BITS + 1], out[AFFINE_MOST_BITS + 1], image[AFFINE_MOST_BITS + 1];
};

/* Returns a map of which nothing is known. Precondition: the number of ports is a power of two. */
struct affine_part affine_begin(const struct multistage *net);

/* Adds that the map takes port x to port y. Returns false, and changes nothing, if no affine map
 * agrees with all that is known. O(K). */
bool affine_add(struct affine_part *part, uint32_t x, uint32_t y);

/* Adds the circuits of a round, to[ports], MULTISTAGE_IDLE for idle inputs. Returns false, and
 * changes nothing, if no affine map agrees with all that is known. O(ports · K). */
bool affine_join(struct affine_part *part, const uint32_t to[]);

/* Returns a map that agrees with all that is known. Other bits are mapped to themselves if
 * possible; else each, from the lowest, is mapped to the lowest free bit. O(K³). */
struct affine affine_complete(const struct affine_part *part);

/* --- Masks of a map ----------------------------------------------------------------------- */

/* Masks: settings of a Beneš network of N = 2^K ports that are affine in the number of the switch.
 *
 * If a round is part of an affine map, the settings of each stage follow from a mask of K bits;
 * expand.h has the rule, affine.c derives the masks (the derivation is our own). For example N = 4
 * and {x1, x0} → {x0, x1}: all three masks are 01. */

/* Fills mask[multistage_stages] with the masks of an affine map. Preconditions: the network is
 * benes:N with N a power of two, and the map has its number of bits. O(K³). */
void masks_route(const struct multistage *net, const struct affine *map, uint32_t mask[]);

/* --- Rows that share a map ---------------------------------------------------------------- */

/* Groups the rows of a schedule that are parts of one affine map and therefore have the same masks.
 *
 * First-fit: each row joins the first map that can be extended to it, so equal rows always share a
 * map. Circuits of two rows that share a map have an input in common only if they have the output
 * in common, as rows that share settings do (settings.h); but this condition alone is not
 * sufficient.
 */

struct affine_grouping {
    uint32_t count;           /* of distinct maps */
    uint32_t *index;          /* index[rows]: the map of each row; 0 for an idle one */
    struct affine_part *part; /* part[count] */
    uint32_t room;
};

/* Groups all rows or, if `reconfig` is not NULL, the settings that settings_hold found.
 * Preconditions: as route_rows_begin; a machine with masks. E401 if the network is not benes:N with
 * N a power of two, E409 for a row that is not part of an affine map, E104, and the errors of
 * route_rows_next. Free it with affine_grouping_free. O(rows · ports · log ports + rows · count) if
 * rows that cannot share differ in their first circuits. */
bool affine_grouping_find(const struct schedule *schedule, const struct machine *machine,
                          const struct settings *reconfig, struct affine_grouping *maps,
                          struct err *err);
void affine_grouping_free(struct affine_grouping *maps);

#endif
