/* SPDX-License-Identifier: Apache-2.0 */
/* affine_reference: affine maps, all and drawn ones, without eliminations. */
#ifndef ROUNDCAST_AFFINE_REFERENCE_H
#define ROUNDCAST_AFFINE_REFERENCE_H

#include "sched/base/rng.h"
#include "sched/route/affine.h"

/* Where a port goes by the columns whose bits it has: the definition. */
uint32_t affine_reference_image(const struct affine *map, uint32_t x);

/* Does A take nothing but 0 to 0? O(2^bits). */
bool affine_reference_invertible(const struct affine *map);

/* Does it do what a round does? */
bool affine_reference_agrees(const struct affine *map, const uint32_t to[]);

/* How many codes there are, of which each is a map that need not be invertible. */
uint32_t affine_reference_codes(unsigned bits);
struct affine affine_reference_coded(unsigned bits, uint32_t code);
struct affine affine_reference_draw(struct rng *rng, unsigned bits);

#endif
