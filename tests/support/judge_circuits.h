/* SPDX-License-Identifier: Apache-2.0 */
/* judge_circuits: do the switches of an image connect whom its schedule says, in every row?
 *
 * The judge knows nothing of routing: unpack follows each sender through the switches, and what it
 * reaches is held against the schedule. judge_route.c stands before the router of whatever is
 * tested, so that every image of a multistage machine is judged.
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

#endif
