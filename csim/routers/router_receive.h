/* SPDX-License-Identifier: Apache-2.0 */
/* router_receive: the buffers of the routers of a level, and what comes to them: packet i of a run,
 * from 0, goes to slot i mod depth of its input.
 */
#ifndef ROUNDCAST_ROUTER_RECEIVE_H
#define ROUNDCAST_ROUTER_RECEIVE_H

#include "csim/routers/router_level.h"

/* A flit is on the lanes. Blocks go to the buffers when they are full; the slots go on when a row
 * is complete, and then the rules of self-timed routers are applied. O(lanes). */
void router_receive(struct router_level *level);

/* Nothing has come to any buffer. */
void router_receive_clear(struct router_level *level);

#endif
