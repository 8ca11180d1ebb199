/* SPDX-License-Identifier: Apache-2.0 */
/* postal_bcast: Algorithm BCAST, which is optimal: one packet along the generalised Fibonacci tree.
 *
 * Every node that has the packet sends it to a new node in every unit of time. Node 0 has the range
 * 0 … n-1; the holder of a range of c nodes keeps the first j = F_λ(f_λ(c) - 1) and sends to the
 * first of the others, which gets their range when the packet arrives, λ later. Figure 1, n = 14, λ
 * = 5/2:
 *
 *     from node    at times                  to nodes
 *     0            0, 1, 2, 3, 4, 5          9, 6, 4, 3, 2, 1
 *     9            5/2, 7/2, 9/2             12, 11, 10
 *     6            7/2, 9/2                  8, 7
 *     4            9/2                       5
 *     12           5                         13                  arrives at 15/2 = f_λ(14)
 *
 * With one port it ends at exactly f_λ(n), which is optimal. The tree for λ = 1 is binomial. Nodes
 * with several ports: postal_ports.h. O(n log n).
 *
 * Bar-Noy and Kipnis, section 3, Theorem 6. (The paper prints `p_n - 1` for the last node,
 * p_{n-1}.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/postal_ports.h"
#include "sched/algorithms/postal/postal_tree.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

static struct postal_pace pace_of(const struct collective *collective)
{
    return (struct postal_pace){.sender = collective->lambda.denominator,
                                .recipient = collective->lambda.numerator,
                                .period = 1}; /* there are no further packets */
}

static uint64_t bcast_end(const struct collective *collective)
{
    if (collective->ports > 1)
        return postal_ports_end(collective);
    struct postal_pace pace = pace_of(collective);
    return postal_tree_end(collective, &pace);
}

static bool bcast_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    if (collective->ports > 1)
        return postal_ports_build(collective, schedule, err);
    struct postal_pace pace = pace_of(collective);
    return postal_tree_build(collective, &pace, schedule, err);
}

static bool bcast_accepts(const struct collective *collective, struct err *err)
{
    uint32_t most = MAX(collective->ports, 1);
    if (collective->m > most)
        return err_set(
            err, ERR_ALGORITHM,
            "postal-bcast of %u packet%s; expected %s%u packet%s, or postal-repeat, postal-pack, "
            "postal-pipeline, postal-dtree, postal-block or postal-swarm",
            collective->m, text_s(collective->m), most > 1 ? "1 … " : "", most, text_s(most));
    return true;
}

static bool bcast_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    uint64_t end = bcast_end(collective);
    return end != ALGORITHM_UNKNOWN &&
           guarantee_set(guarantee, end, "f_λ(n)", "Bar-Noy, Kipnis, Theorem 6");
}

/* Returns whether each tree uses a single port of every node: ⌊ports / m⌋ = 1. */
static bool bcast_keeps_ports(const struct collective *collective)
{
    return collective->ports / collective->m == 1;
}

const struct algorithm algorithm_postal_bcast = {
    .name = "postal-bcast",
    .summary = "optimal for one packet: every node that has it sends it in every unit of time",
    .source = "Bar-Noy, Kipnis, section 3",
    .models = 1u << MODEL_POSTAL,
    .several_ports = 1u << MODEL_POSTAL,
    .keeps_ports = bcast_keeps_ports,
    .accepts = bcast_accepts,
    .end = bcast_end,
    .guarantee = bcast_guarantee,
    .build = bcast_build,
};
