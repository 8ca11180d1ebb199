/* SPDX-License-Identifier: Apache-2.0 */
/* route: compiles a schedule into the image of a machine that executes it.
 *
 * Node v is port v; ports n and up stay idle. Round r is row r-1 of every table. In the postal
 * model tick t is row t: a packet takes as many rows as a unit of time has ticks, and the last λ -
 * 1 units of the schedule drain the network. A schedule of a tree or hypercube requires a machine
 * of routers of the same topology: leaf v of a tree is endpoint v, a node of a hypercube has an
 * endpoint for each dimension (wiring.h), and a row is one hop of every packet that moves in it.
 */
#ifndef ROUNDCAST_ROUTE_H
#define ROUNDCAST_ROUTE_H

#include "sched/image/image.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

/* Checks that the machine does what the schedule describes. Machines with tables always do.
 * Self-timed routers find their own paths, so only some schedules describe what they do: E208 for
 * others (self_timed.h). E104. O(transfers · log of the transfers of a round). */
bool route_check_self_timed(const struct schedule *schedule, const struct machine *machine,
                            struct err *err);

/* Writes the image of `machine` for a schedule that verify accepts: run registers, cleared programs
 * and packet memories, switch tables, programs, and the payload of the demand's packets at their
 * sources; the contributions of reductions at all contributors. Preconditions: the payload has been
 * cut for the schedule's packets and the machine's width, and its headers are written. Errors: E208
 * if self-timed routers act differently; E402 if the machine is too small; E407 if its routers'
 * buffers are too small; E401 if the machine has another topology, does not copy although the model
 * requires it, or does not have the λ of a postal schedule; E403 if a round is not a partial
 * permutation; E104. Free the image with image_free. O(rows · ports · log ports + transfers). */
bool route_schedule(const struct schedule *schedule, const struct machine *machine,
                    const struct payload *payload, struct image *image, struct err *err);

/* Sets the number of cycles that a change of settings takes; a new image has 0. Precondition: the
 * image of a machine with reconfiguration. */
void route_reconfigure(struct image *image, uint32_t cycles);

/* Sets the operator of the run (enum machine_operator); a new image has MACHINE_OPERATOR_SUM.
 * Precondition: the image of a machine that combines. */
void route_operator(struct image *image, uint32_t operation);

#endif
