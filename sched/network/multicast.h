/* SPDX-License-Identifier: Apache-2.0 */
/* multicast: settings of a multicast network for any map from outputs to inputs.
 *
 * multistage.h numbers the stages, lanes and settings.
 */
#ifndef ROUNDCAST_MULTICAST_H
#define ROUNDCAST_MULTICAST_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of multicast_route; opaque, reused from call to call, one per thread. */
struct multicast_router;

/* Creates a router. Precondition: a shape of multistage_multicast. E104. */
struct multicast_router *multicast_router_new(const struct multistage *net, struct err *err);
void multicast_router_free(struct multicast_router *router);

/* Sets every switch so that output o gets the word that input from[o] sends, or nothing if from[o]
 * is MULTISTAGE_IDLE. An input whose word no output gets sends nothing. Equal rounds get equal
 * rows.
 *     from[ports], row[stages][multistage_row_words]
 * Errors: E403 if an input is out of range (row is then undefined). O(ports · log ports); no
 * allocation. Copies by intervals: Lee (1988); such networks of two Beneš networks: Thompson
 * (1978). */
bool multicast_route(struct multicast_router *router, const uint32_t from[], uint32_t *row,
                     struct err *err);

/* -- Planes ------------------------------------------------------------------------------------ */

/* Sets the first two networks of a multicast network, which concentrate words and copy them
 * (multicast.c).
 *
 * A word holds bit p of the numbers of 64 lanes, so that 64 switches are set at once. A stage
 * examines one bit of the numbers, and moves the bits that later stages need. */

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
