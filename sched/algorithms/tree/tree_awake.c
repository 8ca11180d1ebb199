/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_awake.h"

bool tree_awake_step(uint64_t awake[], const struct topology *tree, tree_awake_serve *serve,
                     void *queues, struct schedule *schedule, struct err *err)
{
    size_t words = tree_awake_words(tree);
    unsigned level = 1;
    for (size_t word = 0; word < words; word++)
        for (uint64_t left = awake[word]; left != 0; left &= left - 1) {
            uint32_t router = tree->nodes + (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(left);
            size_t before = schedule->transfer_count;
            while (router >= tree->first[level + 1])
                level++;
            if (!serve(queues, router, level, schedule, err))
                return false;
            if (schedule->transfer_count == before)
                awake[word] &= ~(left & -left);
        }
    return true;
}
