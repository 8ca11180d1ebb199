/* SPDX-License-Identifier: Apache-2.0 */
/* cube_machine: a hypercube in which every node has a router and d endpoints, a sequencer and a
 * host port; rtl/routers/rc_cube_machine.sv, or rtl/cube_auto/rc_cube_auto_machine.sv, to which it
 * is equal in every output, cycle for cycle, as long as the host keeps to the rules of
 * fat_tree_machine.h.
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
 * no memory.
 */
#ifndef ROUNDCAST_CUBE_MACHINE_H
#define ROUNDCAST_CUBE_MACHINE_H

#include "csim/routers/cube_auto.h"
#include "csim/routers/router_machine.h"

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

#endif
