/* SPDX-License-Identifier: Apache-2.0 */
/* affine_reference: affine maps, enumerated or drawn, without elimination. */
#ifndef ROUNDCAST_AFFINE_REFERENCE_H
#define ROUNDCAST_AFFINE_REFERENCE_H

#include "sched/base/rng.h"
#include "sched/route/affine.h"

/* Returns where a port is mapped, by the definition: the sum of the columns whose bits it has. */
uint32_t affine_reference_image(const struct affine *map, uint32_t x);

/* Returns whether A maps only 0 to 0. O(2^bits). */
bool affine_reference_invertible(const struct affine *map);

/* Returns whether the map equals the round. */
bool affine_reference_agrees(const struct affine *map, const uint32_t to[]);

/* Number of codes; each code is a map, not necessarily invertible. */
uint32_t affine_reference_codes(unsigned bits);
struct affine affine_reference_coded(unsigned bits, uint32_t code);
struct affine affine_reference_draw(struct rng *rng, unsigned bits);

#endif
