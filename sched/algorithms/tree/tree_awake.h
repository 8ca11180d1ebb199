/* SPDX-License-Identifier: Apache-2.0 */
/* tree_awake: a bit for each router of a tree that may have a packet to send, so that idle routers
 * cost almost nothing.
 *
 * Router r = node - n is bit r mod 64 of word r / 64.
 */
#ifndef ROUNDCAST_TREE_AWAKE_H
#define ROUNDCAST_TREE_AWAKE_H

#include "sched/schedule/schedule.h"

/* Returns the number of words for a tree's routers. */
static inline size_t tree_awake_words(const struct topology *tree)
{
    return ((size_t)tree->all - tree->nodes + 63) / 64;
}

static inline void tree_awake_wake(uint64_t awake[], const struct topology *tree, uint32_t router)
{
    awake[(router - tree->nodes) / 64] |= UINT64_C(1) << (router - tree->nodes) % 64;
}

/* Appends the transfers of one router of a level in a step. E104. */
typedef bool tree_awake_serve(void *queues, uint32_t router, unsigned level,
                              struct schedule *schedule, struct err *err);

/* Serves all awake routers in ascending order; a router that sends nothing is put to sleep. E104.
 * O(transfers + routers / 64) if every awake router sends in all but one step. */
bool tree_awake_step(uint64_t awake[], const struct topology *tree, tree_awake_serve *serve,
                     void *queues, struct schedule *schedule, struct err *err);

#endif
