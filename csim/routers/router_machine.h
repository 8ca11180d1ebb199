/* SPDX-License-Identifier: Apache-2.0 */
/* router_machine: the parts common to all machines of routers besides the shell: the wavefront, the
 * levels of routers with their control, the step counter, and the words that the host reads.
 * Machines differ in the wiring of the lanes.
 */
#ifndef ROUNDCAST_ROUTER_MACHINE_H
#define ROUNDCAST_ROUTER_MACHINE_H

#include "csim/routers/cube_auto.h"
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

/* -- Machines of hypercubes -------------------------------------------------------------------- */

/* A hypercube in which every node has a router and d endpoints, a sequencer and a host port;
 * rtl/routers/rc_cube_machine.sv, or rtl/cube_auto/rc_cube_auto_machine.sv, to which it is equal
 * in every output, cycle for cycle, as long as the host keeps to the rules of
 * router_machine.h.
 *
 *     endpoints: tx_lanes ──┐                                ┌──► rx_lanes: endpoints
 *                           ├─► near ─► (far) ─► crossed ────┤
 *     level1:  router_out ──┘                                └──► level1
 *
 * All of these signals are [nodes][d]: lane node · d + j - 1 of `near` is the arc that leaves a
 * node over dimension j, and the same lane of `rx_lanes` is the arc that enters it. The wiring
 * (wiring.h) selects the sender: an endpoint or the router. If the arcs have registers, `far` is
 * `near` after them.
 *
 * A self-timed hypercube also contains cube_auto.h, which sends `marks` and controls what endpoints
 * and routers send. Its input is `arrived`; the two bits of the kind are removed there and are in
 * no memory. */

struct cube_machine {
    struct router_machine base;               /* first, see shell.h */
    struct csim_signal router_out, near, far; /* [nodes][d] */
    struct csim_signal moving;                /* endpoints or routers may send */
    struct csim_signal aim, marks, arrived;   /* [nodes][d], in self-timed hypercubes */
    uint32_t *sender;                         /* [nodes][d]: the lane that drives each lane */
};

/* Builds a machine in `parent`; the caller binds its ports. Precondition: machine_check. NULL if a
 * building call failed, which csim_elaborate reports. */
struct cube_machine *cube_machine_new(struct csim_module *parent, const char *name,
                                      const struct machine *machine);

/* -- Machines of fat trees --------------------------------------------------------------------- */

/* Endpoints that are the leaves of a fat tree of routers, a sequencer and a host port;
 * rtl/routers/rc_fat_tree_machine.sv, to which it is equal in every output, cycle for cycle, as
 * long as the host keeps to the rules: tables, programs and packet memories are accessed while
 * the machine is idle, at the latest in the cycle before start; a run fits machine_check_run,
 * and a run of self-timed routers has at least two flits per packet; tables contain legal words,
 * which name existing sources and places, and no output sends a packet that arrived at its own
 * port; reset lasts latency + 3 cycles. Two values may differ: what reads of the receive
 * programs return on a self-timed machine, which has none, and the number of steps during the
 * run. Memories and registers are 0 at power-up.
 *
 *     shell: tx_lanes ──► up1 ──► level1 ──► up2 ──► level2 ──► … ──► level h
 *            rx_lanes ◄── down1 ◄──     ◄── down2 ◄──     ◄── … ◄──
 *
 * A row of the tables is a hop: every leaf and router sends a packet on each of its lanes, and
 * stores what it receives. If links have registers, up1_far … are the signals up1 … after them. */

struct fat_tree_machine {
    struct router_machine base; /* first, see shell.h */

    /* By level, from 1: the lanes of the branches below it. The lanes of leaves are the shell's. */
    struct csim_signal up[TOPOLOGY_MAX_HEIGHT + 1], down[TOPOLOGY_MAX_HEIGHT + 1];
    struct csim_signal up_far[TOPOLOGY_MAX_HEIGHT + 1], down_far[TOPOLOGY_MAX_HEIGHT + 1];
};

/* Builds a machine in `parent`; the caller binds its ports. Precondition: machine_check. NULL if a
 * building call failed, which csim_elaborate reports. */
struct fat_tree_machine *fat_tree_machine_new(struct csim_module *parent, const char *name,
                                              const struct machine *machine);

#endif
