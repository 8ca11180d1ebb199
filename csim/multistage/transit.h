/* SPDX-License-Identifier: Apache-2.0 */
/* transit: flits in the stages and registers of a network, without moving them at each stage.
 *
 * In every stage a flit passes under the settings of the row with which it entered, because the
 * wavefront that loads them travels with the flits. Therefore flits are stored as they entered,
 * with their row, and pass all stages when they leave. From the second flit of a row on, all stages
 * together are one look-up table, found by passing the lane numbers through the stages. Switches
 * that combine words have no such table, so their flits pass stage by stage.
 *
 *     transit_enter ─► entry[depth], a ring, one per register ─► transit_leave
 *                                 └─► transit_show: the lanes after a stage, for a view
 *
 * Lanes without flits are 0 (the endpoints ensure it), and zeros need not be passed.
 */
#ifndef ROUNDCAST_TRANSIT_H
#define ROUNDCAST_TRANSIT_H

#include "csim/kernel/csim.h"
#include "csim/multistage/stage.h"

/* The words that enter at a clock edge. */
struct transit_entry {
    const uint32_t *lanes;  /* [ports] */
    uint32_t setting_index; /* selects the settings of its row */
    bool flow;              /* the lanes may carry flits */
};

struct transit {
    struct stage **stage; /* stage[stages] */
    unsigned stages;
    uint32_t ports, depth;       /* depth: registers of the network */
    uint32_t setting_index;      /* of the row that was fetched last at the entrance */
    struct transit_entry *entry; /* entry[depth], with lanes in memory[depth][padded] */
    uint32_t *memory, padded;
    uint32_t oldest;      /* the entry whose flits leave at this edge or have just left */
    uint32_t *between[2]; /* two buffers for the lanes between stages */
    uint32_t *numbers;    /* numbers[ports]: 1 … ports */
    /* source[ports]: the input lane of each output lane; ports: none */
    uint32_t *source;
    lanes_take_column *take;
    uint32_t prepared; /* the setting index that the stages are set to */
    bool combines;     /* the switches combine words: no look-up table replaces them */
    bool fresh, whole; /* fresh: no flit has left under these settings yet; whole: `source` is
                        * computed for them */
};

/* Creates a transit in the memory of `module`, for the stages in t->stage. False without memory. */
bool transit_new(struct transit *t, struct csim_module *module, const struct machine *machine);

/* Resets: no setting index is known, and no flit is under way. */
void transit_reset(struct transit *t);

/* Sets the operator of switches that combine words. Precondition: a network that has some. */
void transit_operate(struct transit *t, uint32_t operation);

/* Gives switches that combine words the table of flits above 31 bits; NULL for other flits. */
void transit_number(struct transit *t, struct wide_words *wide);

/* Removes all flits under way. */
void transit_clear(struct transit *t);

/* Discards prepared settings, because the tables have changed. */
static inline void transit_forget(struct transit *t)
{
    t->fresh = true;
}

/* At an edge: the flits of in[ports] enter, if `flow` says that there may be any, and all others
 * advance. Precondition: depth is not 0. */
void transit_enter(struct transit *t, bool flow, const uint32_t *in);

/* Returns the entry after `registers` registers, 1 … depth. */
static inline const struct transit_entry *transit_after(const struct transit *t, uint32_t registers)
{
    uint32_t at = t->oldest + t->depth - registers;
    return &t->entry[at < t->depth ? at : at - t->depth];
}

/* Computes the lanes that leave, after all stages. Precondition: entry->flow. */
void transit_leave(struct transit *t, const struct transit_entry *entry, uint32_t *restrict out);

/* Returns source[ports], the input lane of each output lane under a setting index; `ports`:
 * none. Precondition: the switches do not combine words. */
const uint32_t *transit_sources(struct transit *t, uint32_t setting_index);

/* Computes the lanes of a entry after stage `last`; 0 without flits. */
void transit_show(struct transit *t, const struct transit_entry *entry, unsigned last,
                  uint32_t *restrict out);

#endif
