/* SPDX-License-Identifier: Apache-2.0 */
/* packet_header: the flits that lead a packet through self-timed routers, or give an endpoint
 * its range.
 *
 *     flit 0   the slot in which an endpoint stores the packet (machine_slot)
 *     flit 1   in a tree: the first endpoint of the destination leaf or, for all leaves, the
 *              highest bit of the word
 *
 * In a hypercube the sender of a packet encodes the purpose of the transfer in the highest two bits
 * of flit 0, which are not stored. The header precedes the payload in the packet memory. Routers
 * with tables need no header.
 *
 * On a machine with ranges flit 0 is the range that the node serves which has the packet
 * (machine_range_word). It differs from node to node: the sender writes the range of the receiver.
 *
 * Control packets have their value in the first flit after the header, on every machine.
 */
#ifndef ROUNDCAST_PACKET_HEADER_H
#define ROUNDCAST_PACKET_HEADER_H

#include "sched/machine/machine.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

/* Writes the headers of a schedule's packets, if the machine needs any, and the values of its
 * control packets. Preconditions: the payload is cut for them; machine_check; the machine follows
 * the schedule (sched/route/route.h). E104, and with ranges E409. O(packets + demands), with ranges
 * O(transfers). */
bool packet_header_write(const struct schedule *schedule, const struct machine *machine,
                         struct payload *payload, struct err *err);

#endif
