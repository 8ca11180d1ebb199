/* SPDX-License-Identifier: Apache-2.0 */
/* postal_pipeline: Algorithm PIPELINE, the packets as a stream that is forwarded as it arrives.
 *
 * A node sends all packets to a node, back to back, and then to the next node; it begins when the
 * first packet has arrived. So a caller is free again after m, and a recipient calls after λ:
 *
 *     m ≤ λ    PIPELINE-1    the tree of BCAST for λ' = λ/m, times m
 *     m ≥ λ    PIPELINE-2    the tree for λ' = m/λ, times λ: the recipient calls sooner than the
 *                            caller, so it gets the greater part of a range
 *
 * n = 5, m = 4, λ = 2, λ' = 2: node 0 keeps 0, 1 and sends to 2, which gets 2, 3, 4 and keeps 2.
 *
 *     time     0    1    2    3    4    5    6    7    8    9
 *     0 → 2    p1   p2   p3   p4
 *     2 → 3              p1   p2   p3   p4
 *     0 → 1                        p1   p2   p3   p4
 *     3 → 4                        p1   p2   p3   p4           the last arrives at 9
 *
 * It ends at exactly m·f_{λ/m}(n) + m - 1 or λ·f_{m/λ}(n) + λ - 1, which are the same at m = λ; at
 * 0 for n = 1, where the lemmas have m - 1 and λ - 1. O(transfers + n log n).
 *
 * Bar-Noy and Kipnis, section 4.2, Lemmas 14 and 16.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/postal_tree.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <math.h>

/* F_λ' has many more steps than this only if both n and m/λ are greater; such a schedule fits in no
 * memory. */
#define MAX_STEPS (UINT64_C(1) << 18)

static struct postal_pace pace_of(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    return (struct postal_pace){.sender = (uint64_t)collective->m * lambda.denominator,
                                .recipient = lambda.numerator,
                                .period = lambda.denominator};
}

static uint64_t pipeline_end(const struct collective *collective)
{
    struct postal_pace pace = pace_of(collective);
    return postal_tree_end(collective, &pace);
}

static bool pipeline_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    struct postal_pace pace = pace_of(collective);
    return postal_tree_build(collective, &pace, schedule, err);
}

/* Rejects collectives for which F_λ' has too many steps. Other algorithms need no such check,
 * because their λ' is at most λ. */
static bool pipeline_accepts(const struct collective *collective, struct err *err)
{
    struct postal_pace pace = pace_of(collective);
    if (collective->n > MAX_STEPS && pace.sender > MAX_STEPS * pace.recipient)
        return err_set(err, ERR_ALGORITHM,
                       "postal-pipeline of %u packet%s to %u node%s; expected at most %" PRIu64
                       " nodes, or at "
                       "most %" PRIu64 "·λ packets",
                       collective->m, text_s(collective->m), collective->n, text_s(collective->n),
                       MAX_STEPS, MAX_STEPS);
    return true;
}

static bool pipeline_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    double lambda = rational_value(collective->lambda), m = collective->m;
    uint32_t ticks = collective->lambda.denominator;
    if (m <= lambda)
        return guarantee_set_real(
            guarantee, 2 * lambda + 2 * lambda * log2(collective->n) / log2(1 + lambda / m) + m - 1,
            ticks, "2λ+2λlog n/log(1+λ/m)+m-1", "Bar-Noy, Kipnis, Corollary 15");
    return guarantee_set_real(
        guarantee, 2 * m * log2(collective->n) / log2(1 + m / lambda) + 2 * m + lambda - 1, ticks,
        "2mlog n/log(1+m/λ)+2m+λ-1", "Bar-Noy, Kipnis, Corollary 17");
}

const struct algorithm algorithm_postal_pipeline = {
    .name = "postal-pipeline",
    .summary = "streams the packets along a tree; nodes forward them as they arrive",
    .source = "Bar-Noy, Kipnis, section 4.2",
    .models = 1u << MODEL_POSTAL,
    .accepts = pipeline_accepts,
    .end = pipeline_end,
    .guarantee = pipeline_guarantee,
    .build = pipeline_build,
};
