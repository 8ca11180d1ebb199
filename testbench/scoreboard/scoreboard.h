/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard: did every packet arrive exactly when the schedule says, and nothing else?
 *
 * Expectations come from the schedule alone (which round) and the clock (machine_arrival_cycle: in
 * which cycle); observations come from an engine that has read the image alone. Nodes are endpoints
 * here: in a tree the leaves, in a hypercube those of wiring.h.
 */
#ifndef ROUNDCAST_SCOREBOARD_H
#define ROUNDCAST_SCOREBOARD_H

#include "sched/machine/machine.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

struct scoreboard_report {
    uint64_t expected; /* receipts that the schedule predicts */
    uint64_t seen;     /* of these, in their exact cycle */
    uint64_t wrong;    /* receipts in another cycle, or of what was never predicted */
    uint64_t flags;    /* nodes and routers with a flag */
    uint64_t wanted;   /* (node, packet) pairs that the demand wants in memory after the run */
    uint64_t packets;  /* of these, whose payload was compared */
    uint64_t bytes;    /* of payload, compared */
    uint64_t corrupt;  /* pairs whose payload differs */
};

struct scoreboard;

/* Expect what a schedule predicts on a machine. The schedule, machine and run must outlive it.
 * E104. */
struct scoreboard *scoreboard_new(const struct schedule *schedule, const struct machine *machine,
                                  const struct run *run, struct err *err);
void scoreboard_free(struct scoreboard *scoreboard);

/* The cycle of the run in which the first flit of a row leaves, 0 … rows of the schedule; of the
 * one behind the last the cycles of the run. */
uint64_t scoreboard_row_begin(const struct scoreboard *scoreboard, uint64_t row);

/* How often the settings change, if the machine holds them; else 0. */
uint32_t scoreboard_setting_changes(const struct scoreboard *scoreboard);

/* What the run showed in a cycle, from 0: obs[ports], or NULL if nothing completed. Breaches are
 * kept for scoreboard_verdict. O(ports) for a cycle with obs. */
void scoreboard_observe(struct scoreboard *scoreboard, uint64_t cycle, const uint32_t *obs);

/* Does a node have to end with the packet? If a processor has several endpoints, only one counts:
 * the first that is to receive it. And how many have to. */
bool scoreboard_wants(const struct scoreboard *scoreboard, uint32_t node, uint32_t packet);
uint32_t scoreboard_wanters(const struct scoreboard *scoreboard, uint32_t packet);

/* The packet memories of `count` nodes from `first` on after the run: held bit and word of a flit
 * of one packet (from 1), word[count]. They are compared where the demand says that the node must
 * end with the packet. A packet's flits are shown in their order, each once. O(count). */
void scoreboard_flit(struct scoreboard *scoreboard, const struct payload *payload, uint32_t packet,
                     uint32_t flit, uint32_t first, uint32_t count, const uint32_t word[]);

/* All flits of a packet in the memory of a node, word[flits]. */
void scoreboard_memory(struct scoreboard *scoreboard, const struct payload *payload, uint32_t node,
                       uint32_t packet, const uint32_t word[]);

/* The flags of a node after the run. */
void scoreboard_flags(struct scoreboard *scoreboard, uint32_t node, uint32_t flags);

/* The flags of a router after the run, numbered from 0, and the step in which a packet moved last
 * (MACHINE_STEPS). */
void scoreboard_router_flags(struct scoreboard *scoreboard, uint32_t router, uint32_t flags);
void scoreboard_steps(struct scoreboard *scoreboard, uint32_t steps);

/* The testbench stopped: `reason` (E606, E607) is a breach after those that were seen, and what
 * has not arrived yet is none. */
void scoreboard_stop(struct scoreboard *scoreboard, const struct err *reason);

/* True if everything held and everything was checked: all receipts, of which there are some if
 * there is more than one node, and the memory of every wanted pair. Otherwise the first breach, by
 * round, node and packet, and the number of the others: E601 … E608. A packet in another cycle than
 * its own is one breach, E602; E601 is for those that never come. */
bool scoreboard_verdict(struct scoreboard *scoreboard, struct scoreboard_report *report,
                        struct err *err);

#endif
