/* SPDX-License-Identifier: Apache-2.0 */
/* judge_circuits: checks that the switches of an image make the circuits of its schedule, in every
 * row.
 *
 * The judge contains no routing code: unpack traces each sender through the switches, and the
 * result is compared with the schedule. judge_route.c wraps the router in every test, so that every
 * image of a multistage machine is judged.
 */
#ifndef ROUNDCAST_JUDGE_CIRCUITS_H
#define ROUNDCAST_JUDGE_CIRCUITS_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"

#include <stdint.h>

/* Counts, over all rows of the run, the transfers without a circuit from their sender to their
 * receiver with their packet, and the circuits without a transfer. E104. Precondition: the image is
 * that of a multistage machine. O(rows · ports · stages). */
bool judge_circuits(const struct schedule *schedule, const struct image *image, uint64_t *strays,
                    struct err *err);

#endif
