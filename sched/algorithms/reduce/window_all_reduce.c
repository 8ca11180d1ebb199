/* SPDX-License-Identifier: Apache-2.0 */
/* window-all-reduce: packets of all nodes, combined, to all nodes, one packet after another. One
 * packet takes ⌈log n / log (k+1)⌉ rounds over k ports, and f_λ(n) in the postal model with integer
 * λ, which is the minimum for any n.
 *
 * n = 5, windows 1, 2, 3, 5, the contributions that node 0 has (window_plan.h):
 *
 *     step 1   from node 1    0 1
 *     step 2   from node 1    0 1 2              what node 1 has received: 2
 *     step 3   from node 2    0 1 2 3 4          what node 2 has received: 3 4
 *
 * O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/reduce/window_plan.h"

static bool all_reduce_build(const struct collective *collective, struct schedule *schedule,
                             struct err *err)
{
    return window_build(collective, false, schedule, err);
}

const struct algorithm algorithm_window_all_reduce = {
    .name = "window-all-reduce",
    .summary = "an all-reduce of one packet after the other, each in the fewest rounds",
    .source = "Bar-Noy, Kipnis, Schieber, PPL 3; Bar-Noy et al., IEEE TPDS 6",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .kind = COLLECTIVE_ALL_REDUCE,
    .mixes = true,
    .several_ports = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .end = window_end,
    .build = all_reduce_build,
};
