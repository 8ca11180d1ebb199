/* SPDX-License-Identifier: Apache-2.0 */
/* path-scan, path-exclusive-scan: m packets of nodes 0 … x, or 0 … x - 1, combined in this order,
 * to each node x, along the path 0, 1, …, n - 1. Node x sends packet p, combined from nodes 0 … x,
 * to x + 1 in round p + x; m + n - 2 rounds. With many packets that is fewer than m⌈log2 n⌉.
 *
 *     n = 3, m = 2      round 1   0→1 1
 *                       round 2   0→1 2   1→2 1
 *                       round 3   1→2 2
 *
 * O(transfers).
 */
#include "sched/algorithms/algorithm.h"

static bool path_accepts(const struct collective *collective, struct err *err)
{
    return collective->source == 0 ||
           err_set(err, ERR_ALGORITHM,
                   "{source}: a scan begins at node 0 and has no other source; expected 0");
}

static uint64_t path_end(const struct collective *collective)
{
    return collective->m + (uint64_t)collective->n - 2;
}

static bool path_build(const struct collective *collective, struct schedule *schedule,
                       struct err *err)
{
    uint64_t m = collective->m, links = collective->n - UINT64_C(1), rounds = m + links - 1;
    if (!schedule_reserve(schedule, rounds, m * links, err))
        return false;
    for (uint64_t round = 1; round <= rounds; round++) {
        uint64_t first = round > m ? round - m : 0, last = MIN(round, links);
        size_t count = 0;
        struct transfer *transfer = schedule_open_step(schedule, round, last - first, err);
        if (transfer == NULL)
            return false;
        for (uint64_t node = first; node < last; node++)
            transfer[count++] =
                (struct transfer){(uint32_t)node, (uint32_t)node + 1, (uint32_t)(round - node)};
        schedule_close_step(schedule, count);
    }
    return true;
}

#define PATH_SCAN(where, scans, text)                                                        \
    {                                                                                        \
        .name = where, .summary = text, .source = "a pipeline along a path",                 \
        .models = 1u << MODEL_SEND_RECEIVE, .kind = scans, .same_trees = SCHEDULE_MAX_PORTS, \
        .accepts = path_accepts, .end = path_end, .build = path_build,                       \
    }

const struct algorithm algorithm_path_scan =
    PATH_SCAN("path-scan", COLLECTIVE_SCAN, "a scan of many packets along a path");

const struct algorithm algorithm_path_exclusive_scan =
    PATH_SCAN("path-exclusive-scan", COLLECTIVE_EXCLUSIVE_SCAN,
              "an exclusive scan of many packets along a path");
