/* SPDX-License-Identifier: Apache-2.0 */
/* packet_header: the flits that lead a packet through self-timed routers.
 *
 *     flit 0   the slot in which an endpoint stores it (machine_slot)
 *     flit 1   in a tree: the leaf that it is for, or, for all leaves, the highest bit of the word
 *
 * In a hypercube who sends a packet says in the highest two bits of flit 0 what it is sent for;
 * they are not stored. They stand in the packet memory before the payload. Routers with tables need
 * none.
 *
 * Packets of control have their value in the first flit behind the header, on every machine.
 */
#ifndef ROUNDCAST_PACKET_HEADER_H
#define ROUNDCAST_PACKET_HEADER_H

#include "sched/machine/machine.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

/* Write the headers of a schedule's packets, if the machine needs any, and the values of its
 * packets of control. Preconditions: the payload is cut for them; machine_check; the machine keeps
 * the schedule (sched/route/route.h). E104. O(packets + demands). */
bool packet_header_write(const struct schedule *schedule, const struct machine *machine,
                         struct payload *payload, struct err *err);

#endif
