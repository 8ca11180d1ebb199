/* SPDX-License-Identifier: Apache-2.0 */
/* wavefront: announces to the stages of a network, and to the receivers after it, which row comes
 * next, after each pipeline register. It is a ring buffer, so that no entry moves. */
#ifndef ROUNDCAST_WAVEFRONT_H
#define ROUNDCAST_WAVEFRONT_H

#include "csim/kernel/csim.h"

struct wavefront_front {
    uint32_t fetch, row, tag, setting_index;
};

struct wavefront {
    struct wavefront_front *entry; /* entry[depth] */
    uint32_t depth;                /* registers, 1 … */
    uint32_t oldest;               /* the entry after all registers */
    uint32_t uneven;               /* shifts until all entries are equal, if the input does not
                                   * change */
    uint32_t fetches;              /* entries with a fetch */
};

/* Creates a wavefront in the memory of `module`; false without memory. */
bool wavefront_new(struct wavefront *wave, struct csim_module *module, uint32_t depth);

/* Resets: no row is under way. */
void wavefront_reset(struct wavefront *wave);

/* Shifts the ring at an edge: `in` enters, and all other entries advance. */
void wavefront_shift(struct wavefront *wave, const struct wavefront_front *in);

/* Sets all entries to `with`; they keep this value until the input changes. */
void wavefront_fill(struct wavefront *wave, const struct wavefront_front *with);

/* Returns the wavefront after `registers` registers, 1 … depth. */
static inline const struct wavefront_front *wavefront_after(const struct wavefront *wave,
                                                            uint32_t registers)
{
    uint32_t at = wave->oldest + wave->depth - registers;
    return &wave->entry[at < wave->depth ? at : at - wave->depth];
}

#endif
