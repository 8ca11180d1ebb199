/* SPDX-License-Identifier: Apache-2.0 */
/* buffers: computes how many packets wait in the routers of a tree under a schedule.
 *
 * A packet that a router receives in step a and whose last copy it sends in step s
 *
 *     is stored   after the steps a … s - 1
 *     waits       in the steps    a + 1 … s - 1: it was there before the step, and a copy is still
 *                                 to be sent after it
 *
 * so a packet that is sent on in the next step never waits, though it is stored. At the output to
 * one branch a packet waits until its copy for that branch is sent. Both numbers count each packet
 * once, however many copies are still to be sent.
 *
 * A wait of 0 means queue-free. An arriving packet needs a register of its own for one step, or
 * room in the same memory: `stored`. */
#ifndef ROUNDCAST_BUFFERS_H
#define ROUNDCAST_BUFFERS_H

#include "sched/schedule/schedule.h"

/* Maximum number of packets over all steps and all routers of a level. */
struct buffer_depth {
    uint32_t wait;        /* packets that wait in a router */
    uint32_t wait_output; /* packets that wait in a router for one of its branches */
    uint32_t stored;      /* packets that a router stores */
};

/* Computes depth[level], 1 … h; depth[0] is zero, because leaves have memories. Precondition: a
 * legal schedule of a tree in which no node receives a packet twice. E104. O(transfers · log steps
 * + packets + nodes), memory O(transfers + packets + nodes). */
bool buffers_measure(const struct schedule *schedule,
                     struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1], struct err *err);

#endif
