/* SPDX-License-Identifier: Apache-2.0 */
/* endpoint_list: endpoints of a self-timed hypercube send what their node tells them
 * (routers/cube_auto.h): a row of the list in their send program, or a packet of their memory. (In
 * the RTL the program is read a cycle earlier, with the fetch.)
 */
#ifndef ROUNDCAST_ENDPOINT_LIST_H
#define ROUNDCAST_ENDPOINT_LIST_H

#include "csim/shell/endpoint.h"

/* What an endpoint is told to send: {valid, direct, row of its list, or, if direct, slot of its
 * memory}. */
#define ENDPOINT_LIST_DIRECT UINT32_C(0x40000000)

/* With the first flit of a row: list_i becomes `send`, and the aim of tx. Does anybody send?
 * O(nodes). */
bool endpoint_list(struct endpoint *e);

/* The host writes a word of the lists of nodes begin … end - 1: one that is not valid empties them.
 * O(nodes). */
void endpoint_list_write(struct endpoint *e, uint32_t begin, uint32_t end);

#endif
