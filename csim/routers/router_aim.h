/* SPDX-License-Identifier: Apache-2.0 */
/* router_aim: routers that are told what to send by their nodes (cube_auto.h):
 * rtl/routers/rc_router_core.sv alone. */
#ifndef ROUNDCAST_ROUTER_AIM_H
#define ROUNDCAST_ROUTER_AIM_H

#include "csim/routers/router_level.h"

/* With the first flit of a row: aim the outputs at what aim_i says. Does any lane send? The flag
 * `not held` tells of a place that no packet has come to. O(ports of the level). */
bool router_aim(struct router_level *level);

#endif
