/* SPDX-License-Identifier: Apache-2.0 */
/* router_machine: the parts common to all machines of routers besides the shell: the wavefront, the
 * levels of routers with their control, the step counter, and the words that the host reads.
 * Machines differ in the wiring of the lanes.
 */
#ifndef ROUNDCAST_ROUTER_MACHINE_H
#define ROUNDCAST_ROUTER_MACHINE_H

#include "csim/routers/router_level.h"
#include "csim/shell/shell.h"
#include "sched/machine/machine.h"

struct router_machine {
    struct shell shell; /* first, see shell.h */
    struct machine machine;
    /* by level, from 1: whether its routers send; at 0: whether the nodes of cube-auto send */
    struct csim_signal flow[TOPOLOGY_MAX_HEIGHT + 1];
    /* [ROUTER_LEVEL_WORDS], by level as well */
    struct csim_signal host_words[TOPOLOGY_MAX_HEIGHT + 1];
    struct csim_signal first[TOPOLOGY_MAX_HEIGHT + 1]; /* by level: first router with a flag */
    uint32_t row;                                      /* the row whose flits are on the lanes */
    /* one past the row whose flit was on a lane in the cycle before; 0: none */
    uint32_t moved;
};

/* Builds the shell, wavefront, step counter and host words of `machine` in `module`, whose state
 * begins with *m. False if a building call failed. */
bool router_machine_new(struct router_machine *m, struct csim_module *module,
                        const struct machine *machine);

/* Builds the routers of a level and binds all ports but their lanes; NULL if a building call
 * failed. */
struct router_level *router_machine_level(struct router_machine *m, struct csim_module *module,
                                          unsigned level);

/* The signals of a link: its lanes at both ends, and whether they may carry flits. */
struct router_link {
    struct csim_signal *flow, *from, *to;
};

/* Builds the registers of `lanes` lanes, machine.pad ≥ 1 of them. Returns false if a building call
 * failed. */
bool router_machine_link(struct router_machine *m, struct csim_module *module, const char *name,
                         uint32_t lanes, struct router_link ends);

#endif
