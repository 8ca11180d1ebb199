/* SPDX-License-Identifier: Apache-2.0 */
/* scan: m packets, one after another; node x receives each combined from nodes 0 … x in this order.
 * m⌈log2 n⌉ rounds, which is the minimum for m = 1.
 *
 * In step i of a packet node x sends its partial result, combined from nodes x - 2^i + 1 … x, to x
 * + 2^i. n = 4; in each step, the contributions of nodes 0 … 3:
 *
 *     step 0   0→1  1→2  2→3      nodes have 0   0 1   1 2   2 3
 *     step 1   0→2  1→3           nodes have 0   0 1   0 1 2   0 1 2 3
 *
 * W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986. O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"

static bool scan_accepts(const struct collective *collective, struct err *err)
{
    return collective->source == 0 ||
           err_set(err, ERR_ALGORITHM,
                   "{source}: a scan begins at node 0 and has no other source; expected 0");
}

static uint64_t scan_end(const struct collective *collective)
{
    return (uint64_t)collective->m * bits_log2_up(collective->n);
}

static bool scan_build(const struct collective *collective, struct schedule *schedule,
                       struct err *err)
{
    uint32_t n = collective->n;
    if (!schedule_reserve(schedule, scan_end(collective), scan_end(collective) * (n - 1), err))
        return false;
    for (uint32_t packet = 1; packet <= collective->m; packet++)
        for (uint32_t skip = 1; skip < n; skip *= 2) {
            uint32_t senders = n - skip;
            struct transfer *transfer =
                schedule_open_step(schedule, schedule->end + 1, senders, err);
            if (transfer == NULL)
                return false;
            for (uint32_t node = 0; node < senders; node++)
                transfer[node] = (struct transfer){node, node + skip, packet};
            schedule_close_step(schedule, senders);
        }
    return true;
}

const struct algorithm algorithm_scan = {
    .name = "scan",
    .summary = "m packets of nodes 0 … x, combined in this order, to each node x",
    .source = "Hillis, Steele, CACM 29",
    .models = 1u << MODEL_SEND_RECEIVE,
    .kind = COLLECTIVE_SCAN,
    .accepts = scan_accepts,
    .end = scan_end,
    .build = scan_build,
};
