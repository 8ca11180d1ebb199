/* SPDX-License-Identifier: Apache-2.0 */
/* route: from a schedule to the image of a machine that executes it.
 *
 * Node v is port v; ports from n on stay idle. Round r is row r-1 of every table, tick t of the
 * postal model is row t: there a packet takes as many rows as a unit has ticks, and the schedule's
 * last λ - 1 drain the network. The schedule of a tree or hypercube is for a machine of routers of
 * that very topology: leaf v of a tree is endpoint v, a node of a hypercube has an endpoint for
 * each dimension (wiring.h), and a row is one hop of every packet that moves in it.
 */
#ifndef ROUNDCAST_ROUTE_H
#define ROUNDCAST_ROUTE_H

#include "sched/image/image.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

/* Capacities below which a machine is not made smaller, so that one Verilated model serves many
 * schedules. */
#define ROUTE_MIN_LOG2_PACKETS 4
#define ROUTE_MIN_LOG2_FLITS 3
#define ROUTE_MIN_LOG2_ROWS 6
#define ROUTE_MIN_LOG2_PERIOD 3
#define ROUTE_MIN_LOG2_SETTINGS 3
#define ROUTE_MIN_DEPTH 16 /* packets of a router's buffers and queues */

/* log2 of the smallest capacity, or number of ports, that holds so many: at least 1. */
unsigned route_log2_capacity(uint64_t count);

/* The most flits of a packet: a power of two whose round fits MACHINE_MAX_ROW_CYCLES. */
#define ROUTE_MAX_FLITS (UINT32_C(1) << 15)

/* Does the network have a port for every node? E402 with the network that has. */
bool route_check_ports(uint32_t nodes, const struct machine *machine, struct err *err);

/* Checks that the machine does what the schedule says. Machines that follow tables do; self-timed
 * routers find their own way, so that only some schedules describe what they do. E208 for what
 * self-timed routers do not do (fat_tree_auto.h, cube_auto.h), E104. O(transfers · log of a
 * round's). */
bool route_check_self_timed(const struct schedule *schedule, const struct machine *machine,
                            struct err *err);

/* Set log2_packets, log2_flits and log2_rows to the least that hold the schedule with packets of
 * `flits` flits, but not below `minimum`'s (NULL: 1), and routers' buffers as route_fit_routers
 * does. E402 if no machine is large enough, E104; those of route_fit_beats if it has beats. */
bool route_fit(const struct schedule *schedule, uint32_t flits, const struct machine *minimum,
               struct machine *machine, struct err *err);

/* Set depth, queue and reads of routers to what the schedule needs (route_needs.h): exactly, or
 * rounded up to powers of two from ROUTE_MIN_DEPTH. A depth that is not 0 stays as it is. E402,
 * E104, E208 if self-timed routers do not keep it. */
bool route_fit_routers(const struct schedule *schedule, bool exactly, struct machine *machine,
                       struct err *err);

/* Set log2_period and log2_settings to what the schedule needs: exactly, or not below the
 * capacities above. The other memories are given. First of all E401 and E402 if the machine cannot
 * be, or is not for this schedule: another topology, no copies, too few ports, packets or rows.
 * E409 if the schedule does not have what the machine's settings or programs need, E104. */
bool route_fit_beats(const struct schedule *schedule, bool exactly, struct machine *machine,
                     struct err *err);

/* Is the machine large enough for the schedule with packets of `flits` flits, and has it the
 * schedule's topology and λ? E401, E402 as route_schedule. */
bool route_check_fits(const struct schedule *schedule, const struct machine *machine,
                      uint32_t flits, struct err *err);

/* Write the image of `machine` for a schedule that verify accepts: run registers, cleared programs
 * and packet memories, switch tables, programs, and the payload of the demand's packets at their
 * sources. The payload has been cut for the schedule's packets and the machine's width, its headers
 * are written. Errors: E208 if self-timed routers do otherwise, E402 if the machine is too small,
 * E407 if its routers' buffers are, E401 if it is of another topology, does not copy what the model
 * lets it copy, or does not make the λ of a postal schedule, E403 if a round is no partial
 * permutation, E104. Free it with image_free. O(rows · ports · log ports + transfers). */
bool route_schedule(const struct schedule *schedule, const struct machine *machine,
                    const struct payload *payload, struct image *image, struct err *err);

/* Let a change of settings take so many cycles; none does in a new image. Precondition: the image
 * of a machine that holds settings. */
void route_reconfigure(struct image *image, uint32_t cycles);

#endif
