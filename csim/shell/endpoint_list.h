/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_list: endpoints of a self-timed hypercube send what their node selects
 * (routers/cube_auto.h): a row of the list in their send program, or a packet of their memory. (In
 * the RTL the program is read a cycle earlier, with the fetch.)
 */
#ifndef ROUNDCAST_ENDPOINT_LIST_H
#define ROUNDCAST_ENDPOINT_LIST_H

#include "csim/shell/endpoint.h"

/* The word that selects the packet of an endpoint: {valid, direct, row of its list, or, if direct,
 * slot of its memory}. */
#define ENDPOINT_LIST_DIRECT UINT32_C(0x40000000)

/* With the first flit of a row: sets `send` and the addresses of tx from list_i. Returns whether
 * any endpoint sends. O(nodes). */
bool endpoint_list(struct endpoint *e);

/* Writes a word of the host to the lists of nodes begin … end - 1; an invalid word empties them.
 * O(nodes). */
void endpoint_list_write(struct endpoint *e, uint32_t begin, uint32_t end);

#endif
