/* SPDX-License-Identifier: Apache-2.0 */
/* window-all-reduce: packets of all nodes, combined, to all nodes, one packet after another; m⌈log2
 * n⌉ rounds, which is the minimum for m = 1 and any n.
 *
 * Before a step node r has the contributions of a window of w nodes, r … r + w - 1 (mod n): its own
 * and, stored separately, those it has received. The windows grow to n by w' = ⌈n / 2^i⌉:
 *
 *     w' = 2w        r receives all contributions that node r + w has
 *     w' = 2w - 1    r receives those that node r + w - 1 has received, without that node's own
 *
 * n = 5, windows 1, 2, 3, 5, the contributions that node 0 has:
 *
 *     step 1   from node 1    0 1
 *     step 2   from node 1    0 1 2              what node 1 has received: 2
 *     step 3   from node 2    0 1 2 3 4          what node 2 has received: 3 4
 *
 * A. Bar-Noy, S. Kipnis, B. Schieber, "An optimal algorithm for computing census functions in
 * message-passing systems", Parallel Processing Letters 3, 1993. O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"

static uint64_t window_end(const struct collective *collective)
{
    return (uint64_t)collective->m * bits_log2_up(collective->n);
}

/* Appends a step of a packet, from windows of `window` nodes to windows of `next` nodes. E104. */
static bool put_step(uint32_t n, uint32_t packet, uint32_t window, uint32_t next,
                     struct schedule *schedule, struct err *err)
{
    bool even = next == 2 * window;
    uint32_t back = even ? window : window - 1;
    if (schedule_open_step(schedule, schedule->end + 1, n, err) == NULL)
        return false;
    for (uint32_t node = 0; node < n; node++)
        if (!schedule_set_combining(schedule, schedule->transfer_count,
                                    even ? 0 : COMBINING_RECEIVED, err) ||
            !schedule_append(schedule, (struct transfer){node, (node + n - back) % n, packet}, err))
            return false;
    schedule_close_step(schedule, 0);
    return true;
}

static bool window_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    uint32_t n = collective->n;
    if (!schedule_reserve(schedule, window_end(collective), window_end(collective) * n, err))
        return false;
    for (uint32_t packet = 1; packet <= collective->m; packet++) {
        uint32_t window = 1;
        for (unsigned left = bits_log2_up(n); left-- > 0;) {
            uint32_t next = (uint32_t)bits_divide_up(n, UINT64_C(1) << left);
            if (!put_step(n, packet, window, next, schedule, err))
                return false;
            window = next;
        }
    }
    return true;
}

const struct algorithm algorithm_window_all_reduce = {
    .name = "window-all-reduce",
    .summary = "an all-reduce of one packet after the other, each in ⌈log2 n⌉ rounds",
    .source = "Bar-Noy, Kipnis, Schieber, Parallel Processing Letters 3",
    .models = 1u << MODEL_SEND_RECEIVE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .end = window_end,
    .build = window_build,
};
