/* SPDX-License-Identifier: Apache-2.0 */
/* route_replay: replays a tree's schedule with buffers of every depth at once, for
 * test_route_tree.c.
 *
 * Arrival i at an input is stored in slot i mod depth; when a router sends, that slot holds the
 * right or a wrong packet. It shares no code with packet_tracker.c: fat_tree_reference.h provides
 * the lanes.
 */
#ifndef ROUNDCAST_ROUTE_REPLAY_H
#define ROUNDCAST_ROUTE_REPLAY_H

#include "sched/schedule/schedule.h"
#include "tests/support/fat_tree_reference.h"

#define ROUTE_REPLAY_DEPTHS 512 /* number of depths that are tried */

/* The place of a packet in a router: the lane of its arrival, and the number of the arrival
 * there. */
struct route_replay_place {
    uint32_t lane, arrival;
};

struct route_replay {
    const struct schedule *schedule;
    struct fat_tree_reference r;
    struct route_replay_place *place; /* [nodes][packets + 1] */
    uint32_t *read_row, *reads;       /* [lanes][rows]: 1 + the row of its last read; [lanes] */
    bool wrong[TOPOLOGY_MAX_HEIGHT + 1]
              [ROUTE_REPLAY_DEPTHS];            /* with that depth a router sends another packet */
    uint32_t distance[TOPOLOGY_MAX_HEIGHT + 1]; /* the longest way back to a packet that is sent */
    size_t first_of[TOPOLOGY_MAX_HEIGHT + 1];   /* the first transfer with it */
    uint32_t most_reads;
};

struct route_replay *route_replay_open(const struct schedule *schedule);
void route_replay_close(struct route_replay *replay);

#endif
