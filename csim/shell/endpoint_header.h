/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_header: endpoints of self-timed machines receive what comes, as its header says
 * (machine.h).
 *
 *     flit 0   {slot}                      where the packet is stored, header and all
 *     flit 1   {multicast, destination}    in a tree: of one that is for another leaf nothing more
 *                                          is expected
 */
#ifndef ROUNDCAST_ENDPOINT_HEADER_H
#define ROUNDCAST_ENDPOINT_HEADER_H

#include "csim/shell/endpoint.h"

/* Heed flit `flit` on lane_i, before it is stored: `recv` and the aim of rx are what a program
 * would say. O(nodes) for the flits of the header. */
void endpoint_header(struct endpoint *e, uint32_t flit);

/* A reset forgets which packet came last. */
void endpoint_header_clear(struct endpoint *e);

#endif
