/* SPDX-License-Identifier: Apache-2.0 */
/* router_aim: routers whose nodes select what they send (cube_auto.h):
 * rtl/routers/rc_router_core.sv alone. */
#ifndef ROUNDCAST_ROUTER_AIM_H
#define ROUNDCAST_ROUTER_AIM_H

#include "csim/routers/router_level.h"

/* With the first flit of a row: aims the outputs at the packets that aim_i selects. Raises the flag
 * `not held` if a selected place has received no packet. Returns whether any lane sends. O(ports of
 * the level). */
bool router_aim(struct router_level *level);

#endif
