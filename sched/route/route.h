/* SPDX-License-Identifier: Apache-2.0 */
/* route: from a schedule to the image of a machine that executes it.
 *
 * Node v is port v; ports from n on stay idle. Round r is row r-1 of every table; tick t of the
 * postal model is row t: there a packet takes as many rows as a unit of time has ticks, and the
 * last λ - 1 units of the schedule drain the network. The schedule of a tree or hypercube is for a
 * machine of routers of the same topology: leaf v of a tree is endpoint v, a node of a hypercube
 * has an endpoint for each dimension (wiring.h), and a row is one hop of every packet that moves in
 * it.
 */
#ifndef ROUNDCAST_ROUTE_H
#define ROUNDCAST_ROUTE_H

#include "sched/image/image.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

/* Checks that the machine does what the schedule describes. Machines with tables always do;
 * self-timed routers find their own paths, so that only some schedules describe what they do. E208
 * for what self-timed routers do not do (self_timed.h), E104. O(transfers · log of the transfers of
 * a round). */
bool route_check_self_timed(const struct schedule *schedule, const struct machine *machine,
                            struct err *err);

/* Writes the image of `machine` for a schedule that verify accepts: run registers, cleared programs
 * and packet memories, switch tables, programs, and the payload of the demand's packets at their
 * sources. Preconditions: the payload has been cut for the schedule's packets and the machine's
 * width, and its headers are written. Errors: E208 if self-timed routers act differently, E402 if
 * the machine is too small, E407 if its routers' buffers are, E401 if it has another topology, does
 * not copy although the model requires it, or does not have the λ of a postal schedule, E403 if a
 * round is no partial permutation, E104. Free the image with image_free. O(rows · ports · log ports
 * + transfers). */
bool route_schedule(const struct schedule *schedule, const struct machine *machine,
                    const struct payload *payload, struct image *image, struct err *err);

/* Sets the cycles that a change of settings takes; in a new image it takes none. Precondition: the
 * image of a machine with reconfiguration. */
void route_reconfigure(struct image *image, uint32_t cycles);

#endif
