/* SPDX-License-Identifier: Apache-2.0 */
/* judge_circuits: do the switches of an image connect whom its schedule says, in every row?
 *
 * The judge knows nothing of routing: unpack follows each sender through the switches, and what it
 * reaches is held against the schedule. Linked into every test program that routes, whose
 * route_schedule it wraps (the linker's --wrap): each image of a multistage machine that a test
 * makes is judged, whatever the test asks.
 */
#ifndef ROUNDCAST_JUDGE_CIRCUITS_H
#define ROUNDCAST_JUDGE_CIRCUITS_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"

#include <stdint.h>

/* How many transfers of a row are no circuits in it, from their sender to their receiver with their
 * packet, and how many circuits are no transfers, over all rows of the run. E104. Precondition: the
 * image is that of a multistage machine. O(rows · ports · stages). */
bool judge_circuits(const struct schedule *schedule, const struct image *image, uint64_t *strays,
                    struct err *err);

/* The same, of which the test fails if there is no memory. */
uint64_t judge_strays(const struct schedule *schedule, const struct image *image);

#endif
