/* SPDX-License-Identifier: Apache-2.0 */
/* machine_sizing: finds the smallest machine that runs a schedule, and checks whether a machine is
 * large enough. */
#ifndef ROUNDCAST_MACHINE_SIZING_H
#define ROUNDCAST_MACHINE_SIZING_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* --- Buffers and queues of routers -------------------------------------------------------- */

/* The sizes of the buffers and queues of a tree's routers that a schedule requires.
 *
 * A packet is lost if the packet that arrives `depth` arrivals later at the same input overwrites
 * it. So the depth of a buffer is the largest number of arrivals from a packet that is still to be
 * sent to the latest packet, both included. It is at least the number of packets that wait there
 * (buffers.h), and equal to it if packets leave in the order in which they arrived. */

/* Indices are levels 1 … h. Each at least 1. */
struct router_needs {
    uint32_t depth[TOPOLOGY_MAX_HEIGHT + 1]; /* packets in an input's buffer */
    /* packets in a self-timed router's queue, including those that have just arrived */
    uint32_t queue[TOPOLOGY_MAX_HEIGHT + 1];
    uint32_t reads; /* maximum number of different packets of one input that leave in one step */
};

/* Finds the buffer and queue sizes that a schedule requires. Precondition: a legal schedule of a
 * tree. E402 if one step reads more than MACHINE_MAX_READS packets of an input, E104. O(transfers ·
 * log transfers), memory O(transfers + routers · packets). */
bool router_needs_of(const struct schedule *schedule, struct router_needs *needs, struct err *err);

/* Finds the sizes that a machine's routers require for a schedule: between self-timed routers
 * packets may take other paths than in the schedule (self_timed.h). E208 if the routers do not
 * follow it. */
bool router_needs_on(const struct machine *machine, const struct schedule *schedule,
                     struct router_needs *needs, struct err *err);

/* --- Machines ----------------------------------------------------------------------------- */

/* Minimum capacities, so that one Verilated model serves many schedules. */
#define MACHINE_SIZING_MIN_LOG2_PACKETS 4
#define MACHINE_SIZING_MIN_LOG2_FLITS 3
#define MACHINE_SIZING_MIN_LOG2_ROWS 6
#define MACHINE_SIZING_MIN_LOG2_PERIOD 3
#define MACHINE_SIZING_MIN_LOG2_SETTINGS 3
#define MACHINE_SIZING_MIN_LOG2_SPLITS 3
#define MACHINE_SIZING_MIN_DEPTH 16 /* packets of a router's buffers and queues */

/* Returns log2 of the smallest capacity, or number of ports, that holds `count`: at least 1. */
unsigned machine_sizing_log2(uint64_t count);

/* Maximum number of flits of a packet: a power of two whose round fits MACHINE_MAX_ROW_CYCLES. */
#define MACHINE_SIZING_MAX_FLITS (UINT32_C(1) << 15)

/* Checks that the network has a port for every node. E402 with the smallest network that has
 * enough. */
bool machine_sizing_check_ports(uint32_t nodes, const struct machine *machine, struct err *err);

/* Checks that all packets start at processors: they are loaded into endpoints, and the routers of a
 * tree have none. E208. */
bool machine_sizing_check_sources(const struct schedule *schedule, struct err *err);

/* Sets log2_packets, log2_flits and log2_rows to the minimum for the schedule with packets of
 * `flits` flits, but at least to those of `minimum` (NULL: 1), and the routers' buffers as
 * machine_sizing_fit_routers does. E402 if no machine is large enough, E104; the errors of
 * machine_sizing_fit_settings if the machine has a setting period. */
bool machine_sizing_fit(const struct schedule *schedule, uint32_t flits,
                        const struct machine *minimum, struct machine *machine, struct err *err);

/* Sets depth, queue and reads of routers to what the schedule needs: exactly, or rounded up to
 * powers of two, at least MACHINE_SIZING_MIN_DEPTH. A depth that is not 0 is left unchanged. E402,
 * E104, E208 if self-timed routers do not follow the schedule. */
bool machine_sizing_fit_routers(const struct schedule *schedule, bool exactly,
                                struct machine *machine, struct err *err);

/* Sets log2_period and log2_settings to what the schedule needs: exactly, or at least the minimum
 * capacities. The other memories must be set. First checks for E401 and E402: the machine cannot
 * exist or does not match the schedule (another topology, no copies, too few ports, packets or
 * rows). E409 if the schedule does not have what the machine's settings or programs require, E104.
 */
bool machine_sizing_fit_settings(const struct schedule *schedule, bool exactly,
                                 struct machine *machine, struct err *err);

/* Sets log2_splits to what the schedule needs on a machine with ranges: exactly, or at least the
 * minimum capacity. The rows must be set. E409 if the schedule does not split ranges (ranges_find);
 * E402 for more splits than rows, E104. */
bool machine_sizing_fit_splits(const struct schedule *schedule, bool exactly,
                               struct machine *machine, struct err *err);

/* Checks that the machine is large enough for the schedule with packets of `flits` flits, and has
 * its topology and λ. E401, E402 as route_schedule. */
bool machine_sizing_check(const struct schedule *schedule, const struct machine *machine,
                          uint32_t flits, struct err *err);

#endif
