/* SPDX-License-Identifier: Apache-2.0 */
/* wavefront: what tells the stages of a network and the receivers behind it which row comes, behind
 * each of its pipeline registers; a ring, of which nothing moves. */
#ifndef ROUNDCAST_WAVEFRONT_H
#define ROUNDCAST_WAVEFRONT_H

#include "csim/kernel/csim.h"

struct wavefront_front {
    uint32_t fetch, row, tag, setting_index;
};

struct wavefront {
    struct wavefront_front *slot; /* slot[depth] */
    uint32_t depth;               /* registers, 1 … */
    uint32_t oldest;              /* the slot of what stands behind all of them */
    uint32_t uneven;              /* shifts until all is the same, if the input stays */
    uint32_t fetches;             /* slots with a fetch */
};

/* In the memory of `module`; false without memory. */
bool wavefront_new(struct wavefront *wave, struct csim_module *module, uint32_t depth);

/* Nothing is under way. */
void wavefront_reset(struct wavefront *wave);

/* At an edge. */
void wavefront_shift(struct wavefront *wave, const struct wavefront_front *in);

/* All of it is the same, and rests. */
void wavefront_fill(struct wavefront *wave, const struct wavefront_front *with);

/* What stands behind so many registers, 1 … depth. */
static inline const struct wavefront_front *wavefront_after(const struct wavefront *wave,
                                                            uint32_t registers)
{
    uint32_t at = wave->oldest + wave->depth - registers;
    return &wave->slot[at < wave->depth ? at : at - wave->depth];
}

#endif
