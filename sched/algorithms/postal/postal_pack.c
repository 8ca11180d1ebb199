/* SPDX-License-Identifier: Apache-2.0 */
/* postal_pack: Algorithm PACK, all packets as one long message along the tree of BCAST.
 *
 * A node sends all packets to a node, back to back, and then to the next node; it begins when it
 * has received them all. A message takes m to send and λ + m - 1 to arrive, so the tree is that of
 * BCAST for λ' = (λ + m - 1)/m. n = 4, m = 2, λ = 2, λ' = 3/2: the tree is 0→2, 0→1, 2→3 with its
 * times doubled.
 *
 *     time     0    1    2    3    4    5    6
 *     0 → 2    p1   p2
 *     0 → 1              p1   p2
 *     2 → 3                   p1   p2                 node 2 has p2 at 3
 *
 * It ends at exactly m·f_λ'(n), here 6. O(transfers + n log n).
 *
 * Bar-Noy and Kipnis, section 4.2, Lemma 12.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/postal_tree.h"

#include <math.h>

static struct postal_pace pace_of(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    return (struct postal_pace){.sender = (uint64_t)collective->m * lambda.denominator,
                                .recipient = lambda.numerator +
                                             (collective->m - UINT64_C(1)) * lambda.denominator,
                                .period = lambda.denominator};
}

static uint64_t pack_end(const struct collective *collective)
{
    struct postal_pace pace = pace_of(collective);
    return postal_tree_end(collective, &pace);
}

static bool pack_build(const struct collective *collective, struct schedule *schedule,
                       struct err *err)
{
    struct postal_pace pace = pace_of(collective);
    return postal_tree_build(collective, &pace, schedule, err);
}

static bool pack_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    double lambda = rational_value(collective->lambda), m = collective->m,
           long_one = m + lambda - 1;
    double units = 2 * long_one * log2(collective->n) / log2(2 + (lambda - 1) / m) + 2 * long_one;
    return guarantee_set_real(guarantee, units, collective->lambda.denominator,
                              "2(m+λ-1)log n/log(2+(λ-1)/m)+2(m+λ-1)",
                              "Bar-Noy, Kipnis, Corollary 13");
}

const struct algorithm algorithm_postal_pack = {
    .name = "postal-pack",
    .summary = "sends all packets as one long message along the tree of postal-bcast",
    .source = "Bar-Noy, Kipnis, section 4.2",
    .models = 1u << MODEL_POSTAL,
    .end = pack_end,
    .guarantee = pack_guarantee,
    .build = pack_build,
};
