/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree_machine: endpoints that are the leaves of a fat tree of routers, a sequencer and a host
 * port; rtl/routers/rc_fat_tree_machine.sv, to which it is equal in every output, cycle for cycle,
 * as long as the host keeps to the rules: tables, programs and packet memories are accessed while
 * the machine is idle, at the latest in the cycle before start; a run fits machine_check_run, and a
 * run of self-timed routers has at least two flits per packet; tables contain legal words, which
 * name existing sources and places, and no output sends a packet that arrived at its own port;
 * reset lasts latency + 3 cycles. Two values may differ: what reads of the receive programs return
 * on a self-timed machine, which has none, and the number of steps during the run. Memories and
 * registers are 0 at power-up.
 *
 *     shell: tx_lanes ──► up1 ──► level1 ──► up2 ──► level2 ──► … ──► level h
 *            rx_lanes ◄── down1 ◄──     ◄── down2 ◄──     ◄── … ◄──
 *
 * A row of the tables is a hop: every leaf and router sends a packet on each of its lanes, and
 * stores what it receives. If links have registers, up1_far … are the signals up1 … after them.
 */
#ifndef ROUNDCAST_FAT_TREE_MACHINE_H
#define ROUNDCAST_FAT_TREE_MACHINE_H

#include "csim/routers/router_machine.h"

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
