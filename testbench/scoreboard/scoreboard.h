/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard: checks that every packet arrives exactly when the schedule predicts, and that nothing
 * else arrives.
 *
 * Expectations come only from the schedule (the round) and the clock (machine_arrival_cycle: the
 * cycle); observations come from an engine that has read only the image. Nodes are endpoints here:
 * in a tree the leaves, in a hypercube the endpoints of wiring.h.
 */
#ifndef ROUNDCAST_SCOREBOARD_H
#define ROUNDCAST_SCOREBOARD_H

#include "sched/machine/machine.h"
#include "sched/machine/machine_run.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

struct scoreboard_report {
    uint64_t expected; /* receipts predicted by the schedule */
    uint64_t seen;     /* of these, receipts in their exact cycle */
    uint64_t wrong;    /* receipts in a wrong cycle, or not predicted at all */
    uint64_t flags;    /* nodes and routers with a flag */
    uint64_t wanted;   /* (node, packet) pairs that the demands require in memory after the run */
    uint64_t packets;  /* of these, those with compared payload */
    uint64_t bytes;    /* of payload that was compared */
    uint64_t corrupt;  /* pairs whose payload differs */
    /* hash of the trees by which packets were combined, as the arrivals at endpoints show
     * (certificate.h); 0: none */
    uint64_t certificate;
};

struct scoreboard;

/* Creates a scoreboard with the predictions of a schedule, which carries a payload, on a machine.
 * All four must outlive it. E104. */
struct scoreboard *scoreboard_new(const struct schedule *schedule, const struct payload *payload,
                                  const struct machine *machine, const struct run *run,
                                  struct err *err);
void scoreboard_free(struct scoreboard *scoreboard);

/* Returns the cycle of the run in which the first flit of a row leaves; row is 0 … rows of the
 * schedule. For the row after the last it is the number of cycles of the run. */
uint64_t scoreboard_row_begin(const struct scoreboard *scoreboard, uint64_t row);

/* Number of setting changes on a machine with reconfiguration; else 0. */
uint32_t scoreboard_setting_changes(const struct scoreboard *scoreboard);

/* Accepts the observation of a cycle, counted from 0: obs[ports], or NULL if no packet completed.
 * Violations are stored for scoreboard_verdict. O(ports) for a cycle with obs. */
void scoreboard_observe(struct scoreboard *scoreboard, uint64_t cycle, const uint32_t *obs);

/* Returns whether a node must have the packet after the run, and the number of nodes that must. If
 * a processor has several endpoints, only one counts: the first that is to receive it. */
bool scoreboard_wants(const struct scoreboard *scoreboard, uint32_t node, uint32_t packet);
uint32_t scoreboard_wanters(const struct scoreboard *scoreboard, uint32_t packet);

/* Accepts word `which` of one packet (from 1) in the memories of `count` nodes of the schedule,
 * from `first` on, after the run: word[count]. With flits of P parts (machine_parts) it is part
 * which % P of flit which / P. Words are compared at nodes that must have the packet. The words of
 * a packet are passed in order, each once. O(count). */
void scoreboard_word(struct scoreboard *scoreboard, uint32_t packet, uint32_t which, uint32_t first,
                     uint32_t count, const uint32_t word[]);

/* Accepts all words of a packet in the memory of a node, word[flits · parts]. */
void scoreboard_memory(struct scoreboard *scoreboard, uint32_t node, uint32_t packet,
                       const uint32_t word[]);

/* Accepts the flags of a node after the run. */
void scoreboard_flags(struct scoreboard *scoreboard, uint32_t node, uint32_t flags);

/* Accepts the flags of a router (numbered from 0) after the run, and the step in which a packet
 * moved last (MACHINE_STEPS). */
void scoreboard_router_flags(struct scoreboard *scoreboard, uint32_t router, uint32_t flags);
void scoreboard_steps(struct scoreboard *scoreboard, uint32_t steps);

/* Records that the run was stopped: `reason` (E606, E607) is a violation after those already seen,
 * and packets that have not arrived yet are not violations. */
void scoreboard_stop(struct scoreboard *scoreboard, const struct err *reason);

/* Returns true if there was no violation and everything was checked: all receipts (at least one if
 * there is more than one node) and the memory of every required pair. Otherwise reports the first
 * violation, by round, node and packet, and the number of the others: E601 … E608. A packet in a
 * wrong cycle is one violation, E602; E601 reports packets that never arrive. */
bool scoreboard_verdict(struct scoreboard *scoreboard, struct scoreboard_report *report,
                        struct err *err);

#endif
