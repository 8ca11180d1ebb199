/* SPDX-License-Identifier: Apache-2.0 */
/* router_receive: fills the buffers of the routers of a level: packet i of a run, from 0, goes to
 * slot i mod depth of its input.
 */
#ifndef ROUNDCAST_ROUTER_RECEIVE_H
#define ROUNDCAST_ROUTER_RECEIVE_H

#include "csim/routers/router_level.h"

/* Accepts the flit on the lanes. Moves blocks to the buffers when they are full; advances the slots
 * when a row is complete, and then applies the rules of self-timed routers. O(lanes). */
void router_receive(struct router_level *level);

/* Empties all buffers. */
void router_receive_clear(struct router_level *level);

#endif
