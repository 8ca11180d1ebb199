/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_header: endpoints of self-timed machines receive packets as their headers specify
 * (machine.h).
 *
 *     flit 0   {slot}                      where the packet is stored, with its header
 *     flit 1   {multicast, destination}    in a tree: no further flits are expected of a packet
 *                                          for another leaf
 */
#ifndef ROUNDCAST_ENDPOINT_HEADER_H
#define ROUNDCAST_ENDPOINT_HEADER_H

#include "csim/shell/endpoint.h"

/* Evaluates flit `flit` on lane_i before it is stored: sets `recv` and the addresses of rx as a
 * receive program would. O(nodes) for the flits of the header. */
void endpoint_header(struct endpoint *e, uint32_t flit);

/* Resets: discards the number of the packet received last. */
void endpoint_header_clear(struct endpoint *e);

#endif
