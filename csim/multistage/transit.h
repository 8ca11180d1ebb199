/* SPDX-License-Identifier: Apache-2.0 */
/* transit: flits on their way through the stages and registers of a network, without a move at each
 * of them.
 *
 * A flit meets in every stage the settings of the row with which it entered: the wavefront, which
 * loads them, travels with the flits. So it is enough to keep flits as they entered, and their row,
 * and to pass them through all stages as they leave. From the second flit of a row on the stages
 * together are one look-up, found by passing the numbers of the lanes.
 *
 *     transit_enter ─► slot[depth], a ring, one per register ─► transit_leave
 *                                 └─► transit_show: what stands behind a stage, if anybody asks
 *
 * Lanes without flits are 0 (the endpoints see to it), which need not be passed.
 */
#ifndef ROUNDCAST_TRANSIT_H
#define ROUNDCAST_TRANSIT_H

#include "csim/kernel/csim.h"
#include "csim/multistage/stage.h"

/* What enters at an edge. */
struct transit_slot {
    const uint32_t *lanes;  /* [ports] */
    uint32_t setting_index; /* of its row: what the stages go by */
    bool flow;              /* the lanes may carry flits */
};

struct transit {
    struct stage **stage; /* stage[stages] */
    unsigned stages;
    uint32_t ports, depth;     /* depth: registers of the network */
    uint32_t setting_index;    /* of the row that was fetched last at the entrance */
    struct transit_slot *slot; /* slot[depth], with lanes in memory[depth][padded] */
    uint32_t *memory, padded;
    uint32_t oldest;   /* the slot whose flits leave, or have left at this edge */
    uint32_t *way[2];  /* lanes between two stages */
    uint32_t *numbers; /* numbers[ports]: 1 … ports */
    /* source[ports]: the lane that entered, of each that leaves; ports: none */
    uint32_t *source;
    lanes_take_column *take;
    uint32_t prepared; /* the setting index that the stages are set to */
    bool fresh, whole; /* fresh: no flit left under it yet; whole: `source` is of it */
};

/* In the memory of `module`, for stages that are entered in t->stage. False without memory. */
bool transit_new(struct transit *t, struct csim_module *module, const struct machine *machine);

/* No setting index is known, and nothing is under way. */
void transit_reset(struct transit *t);

/* Nothing is under way. */
void transit_clear(struct transit *t);

/* Tables have changed. */
static inline void transit_forget(struct transit *t)
{
    t->fresh = true;
}

/* At an edge: the flits of in[ports] enter, if there may be any, and all others move on.
 * Precondition: depth is not 0. */
void transit_enter(struct transit *t, bool flow, const uint32_t *in);

/* Who stands behind so many registers, 1 … depth. */
static inline const struct transit_slot *transit_after(const struct transit *t, uint32_t registers)
{
    uint32_t at = t->oldest + t->depth - registers;
    return &t->slot[at < t->depth ? at : at - t->depth];
}

/* What leaves as flits have gone through all stages. Precondition: slot->flow. */
void transit_leave(struct transit *t, const struct transit_slot *slot, uint32_t *restrict out);

/* source[ports]: from which lane each comes that leaves, under a setting index; `ports`: from
 * nowhere. */
const uint32_t *transit_sources(struct transit *t, uint32_t setting_index);

/* What they are behind stage `last`; or 0. */
void transit_show(struct transit *t, const struct transit_slot *slot, unsigned last,
                  uint32_t *restrict out);

#endif
