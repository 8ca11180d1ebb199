/* SPDX-License-Identifier: Apache-2.0 */
/* postal_repeat: Algorithm REPEAT, which repeats the tree of BCAST for every packet.
 *
 * Node 0 starts a packet as soon as it has sent the last copy of the previous packet: D later,
 * where D is the number of its children. No node has more children, so every node has finished a
 * packet when the next packet arrives. n = 4, λ = 3/2, D = 2, the tree is 0→2, 0→1, 2→3:
 *
 *     time     0    1/2   1    3/2   2    5/2   3    7/2
 *     0 → 2    p1                    p2
 *     0 → 1               p1                    p2
 *     2 → 3                    p1                    p2      arrives at (m - 1)·2 + 3 = 5
 *
 * It ends at exactly (m - 1)·D + f_λ(n). O(transfers + n log n).
 *
 * Lemma 10 has m·f_λ(n) - (m - 1)(λ - 1), that is D = f_λ(n) - (λ - 1), as if node 0 made the last
 * call of all. This is so for integer λ; otherwise it is only an upper bound, because another node
 * may make the last call, as above: the lemma gives 11/2. (Its first line prints + (λ + 1) for + (λ
 * - 1).)
 *
 * Bar-Noy and Kipnis, section 4.2, Lemma 10.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/postal_tree.h"

#include <math.h>

/* Returns the pace; its period is 0 if there is no memory to compute it. */
static struct postal_pace pace_of(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    struct postal_pace pace = {.sender = lambda.denominator, .recipient = lambda.numerator};
    pace.period = (uint64_t)postal_tree_degree(collective, &pace) * lambda.denominator;
    return pace;
}

static uint64_t repeat_end(const struct collective *collective)
{
    struct postal_pace pace = pace_of(collective);
    return pace.period == 0 ? ALGORITHM_UNKNOWN : postal_tree_end(collective, &pace);
}

static bool repeat_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    struct postal_pace pace = pace_of(collective);
    if (pace.period == 0)
        return err_no_memory(err, "the tree of %u nodes", collective->n);
    return postal_tree_build(collective, &pace, schedule, err);
}

static bool repeat_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    double lambda = rational_value(collective->lambda), m = collective->m;
    double units =
        2 * m * lambda * log2(collective->n) / log2(lambda + 1) + m * lambda + m + lambda - 1;
    return guarantee_set_real(guarantee, units, collective->lambda.denominator,
                              "2mλlog n/log(λ+1)+mλ+m+λ-1", "Bar-Noy, Kipnis, Corollary 11");
}

const struct algorithm algorithm_postal_repeat = {
    .name = "postal-repeat",
    .summary = "repeats the tree of postal-bcast for every packet",
    .source = "Bar-Noy, Kipnis, section 4.2",
    .models = 1u << MODEL_POSTAL,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = repeat_end,
    .guarantee = repeat_guarantee,
    .build = repeat_build,
};
