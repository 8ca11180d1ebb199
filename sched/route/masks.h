/* SPDX-License-Identifier: Apache-2.0 */
/* masks: settings of a Beneš network of N = 2^K ports that are affine in the number of the switch,
 * found for a round.
 *
 * A round that is a part of an affine map (affine.h) has settings of which those of each stage
 * follow from a mask of K bits; expand.h has the rule, masks.c how masks are found (the
 * derivation is our own). For example N = 4 and {x1, x0} → {x0, x1}: all three masks are 01.
 */
#ifndef ROUNDCAST_MASKS_H
#define ROUNDCAST_MASKS_H

#include "sched/route/affine.h"

/* The masks of an affine map, mask[multistage_stages]. Precondition: benes:N of a power of two, of
 * the map's bits. O(K³). */
void masks_route(const struct multistage *net, const struct affine *map, uint32_t mask[]);

#endif
