/* SPDX-License-Identifier: Apache-2.0 */
/* bound_tree: lower bounds for collectives among the leaves of a tree (Dimakopoulos and
 * Dimopoulos), corrected, and for any demands in a tree. collective->topology has h levels, k_i
 * children of a node of level i, N_i leaves below it, c_i links of a branch below it, and n = N_h.
 * O(h) each unless stated otherwise. */
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/bound/bound_routes.h"
#include "sched/bound/bound_rows.h"

#define LEAF "Dimakopoulos, Dimopoulos,"

/* Returns whether all k_i are equal, h ≥ 2 and c_1 = 1. */
static bool tree_is_even(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    bool even = !tree->any && tree->height >= 2 && tree->capacity[1] == 1;
    for (unsigned level = 2; level <= tree->height; level++)
        even = even && tree->children[level] == tree->children[1];
    return even;
}

static unsigned source_level(const struct collective *collective)
{
    return topology_level(collective->topology, collective->source);
}

/* Returns Σ k_i of the levels below `level`: the steps from the arrival of a packet at a router of
 * level - 1 to its arrival at the last leaf below, in the single-port model. */
static uint64_t steps_below(const struct topology *tree, unsigned level)
{
    uint64_t steps = 0;
    for (unsigned below = 1; below < level; below++)
        steps += tree->children[below];
    return steps;
}

/* Broadcast of m packets from a node of level l (0: a leaf), single-port. One packet takes
 * h - l - 1 + Σ k_i; Theorem 1 for l = 0, and Σ k_i from the root, B_r of equation (2). Of many
 * packets the last one leaves in step m or later. A router that sends each packet to p children has
 * the first one no earlier than the last router of its level in a broadcast of one packet; it sends
 * pm packets, and the last of them has Σ_{j<i} k_j steps to go. That is (m - 1)p steps more, with p
 * = k_i, for the root k_h - 1 or, as the source, k_h. A source of another level also sends to its
 * parent. */
static uint64_t tree_broadcast(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const unsigned from = source_level(collective), top = tree->height;
    const uint64_t m = collective->m;
    uint64_t steps = from < top ? top - from - 1 : 0, copies = from < top;
    for (unsigned level = 1; level <= top; level++) {
        const uint64_t k = tree->children[level];
        steps += k;
        copies = MAX(copies, level == top && from < top ? k - 1 : k);
    }
    uint64_t most = steps + (m - 1) * copies;
    if (from > 0 && from < top)
        most =
            bound_larger(most, (tree->children[from] + UINT64_C(1)) * m + steps_below(tree, from));
    return most;
}

/* All-reduce of m packets, single-port. Each branch carries each packet up and down. So a router of
 * level i sends (k_i + 1)m packets, the root k_h m, none before step i + 1, in which it can have
 * the contribution of a leaf. A result that it sends to a child for the first time has Σ_{j<i} k_j
 * steps to go, and a partial result that it sends up has more. */
static uint64_t tree_all_reduce(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        const uint64_t sends = tree->children[level] + (uint64_t)(level < tree->height);
        most = bound_larger(most, level + sends * collective->m + steps_below(tree, level));
    }
    return most;
}

/* Multiport: 2h - l, the path over the root; all packets cross each of its branches, on c lanes of
 * the narrowest, so that the last one crosses it ⌈m/c⌉ - 1 steps after the first. */
static uint64_t tree_path(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const bool one_link = model_row(collective->model)->one_link;
    const uint32_t lanes = one_link ? 1 : topology_narrowest(tree, tree->height);
    return 2 * (uint64_t)tree->height - source_level(collective) +
           bits_divide_up(collective->m, lanes) - 1;
}

/* The largest ⌈(n - N_{i-1}) / min(c_1 … c_i)⌉ + 2i - 1: a leaf sends or receives n - N_{i-1}
 * packets of leaves that it meets at level i or above. They cross each branch between, in one
 * direction, and 2i - 1 branches before or after it. With c_1 = 1 and in the single-port model it
 * is n, or n + 1 if k_1 = 2 and h ≥ 2. */
static uint64_t tree_link(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    bool one_link = model_row(collective->model)->one_link;
    uint64_t most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t outside = tree->nodes - tree->leaves[level - 1];
        uint64_t lanes = one_link ? 1 : topology_narrowest(tree, level);
        most = MAX(most, bits_divide_up(outside, lanes) + 2 * level - 1);
    }
    return most;
}

/* Reduce-scatter, single-port: the root sends a partial result of each packet, and not before step
 * h + 1 one that has the contribution of a leaf of another branch. After the last of these n steps
 * h - 1 links remain. */
static uint64_t tree_root_sends(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    return tree->nodes + 2 * (uint64_t)tree->height - 1;
}

/* Returns the steps of the packets for leaves that meet the source at `level` above its own, or for
 * the leaves below the source: those that cross the narrowest branch of the path up, and those that
 * enter one subtree. */
static uint64_t scatter_level(const struct collective *collective, unsigned from, unsigned level)
{
    const struct topology *tree = collective->topology;
    uint64_t outside = tree->nodes - tree->leaves[level - 1], lanes = UINT64_MAX;
    for (unsigned above = from + 1; above <= level; above++)
        lanes = MIN(lanes, tree->capacity[above]);
    uint64_t up = level > from ? bits_divide_up(outside, lanes) : 0;
    uint64_t down = bits_divide_up(tree->leaves[level - 1], topology_flow(tree, level));
    return MAX(up, down) + 2 * level - from - 1;
}

/* Scatter from a node of level l, and gather to it. From a leaf it is tree_link. From a router,
 * single-port, it is n + l - 1: the router sends n packets one by one, to leaves at least l links
 * away. Multiport: the largest MAX(⌈(n - N_{i-1}) / min(c_{l+1} … c_i)⌉ if i > l, ⌈N_{i-1} / e_i⌉)
 * + 2i - l - 1, i ≥ l, for the packets that cross a branch of level i upwards and downwards. */
static uint64_t tree_scatter(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    unsigned from = source_level(collective);
    uint64_t most = 0;
    if (from == 0)
        return tree_link(collective);
    if (model_row(collective->model)->one_link)
        return tree->nodes + from - 1;
    for (unsigned level = from; level <= tree->height; level++) {
        uint64_t steps = scatter_level(collective, from, level);
        most = MAX(most, steps);
    }
    return most;
}

/* Single-port: the packets that the routers of a level must send. Theorem 3 in its general form;
 * Theorem 5 with the load of the root, which the theorem omits. */
static uint64_t tree_all_gather(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, below = 0, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t k = tree->children[level];
        most = MAX(most, level + (level < tree->height ? k : k - 1) * n + below);
        below += k;
    }
    return most;
}

static uint64_t tree_total_exchange(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes;
    unsigned h = tree->height;
    uint64_t most = n * (n - tree->leaves[h - 1]) + 2 * h - 1;
    for (unsigned level = 1; level < h; level++)
        most = MAX(most,
                   tree->leaves[level] * (2 * n - tree->leaves[level] - tree->leaves[level - 1]) +
                       2 * level - 1);
    return most;
}

/* Multiport: the packets that must cross the branches of a level, or those below it. Equation (3)
 * for each level. */
static uint64_t tree_cut(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t inside = tree->leaves[level - 1];
        uint64_t steps = bits_divide_up(inside * (n - inside), topology_flow(tree, level));
        most = MAX(most, steps + 2 * level - 1);
    }
    return most;
}

/* Returns the most packets of a leaf that are sent and have not arrived, added over the steps of T:
 * after step t a leaf has sent at most c_1 t packets and received at least n - 1 - c_1 (T - t).
 * Their number rises by c_1 a step, stays the same, and falls by c_1 a step. */
static uint64_t tree_room_in_flight(const struct topology *tree, uint64_t t)
{
    uint64_t c = tree->capacity[1], packets = tree->nodes - UINT64_C(1);
    uint64_t edge = MIN(packets, c * t - packets), rising = MIN(edge / c, (t - 1) / 2);
    uint64_t middle = MIN(edge, c * (rising + 1));
    return c * rising * (rising + 1) + (t - 1 - 2 * rising) * middle;
}

/* Multiport: a packet that turns at level i is in flight for 2i - 1 steps at least after the step
 * in which its leaf sends it. It tries O(h) values of T. O(h). */
static uint64_t tree_in_flight(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t flight = 0, t = bits_divide_up(tree->nodes - UINT64_C(1), tree->capacity[1]) + 1;
    for (unsigned level = 1; level <= tree->height; level++)
        flight += (uint64_t)(tree->leaves[level] - tree->leaves[level - 1]) * (2 * level - 1);
    while (tree_room_in_flight(tree, t) < flight)
        t++;
    return t;
}

static bool any_is_half_duplex(const struct collective *collective)
{
    return collective->topology->half_duplex && collective->topology->any;
}

static bool tree_is_half_duplex(const struct collective *collective)
{
    return collective->topology->half_duplex && !collective->topology->any;
}

/* Returns the steps of the branches of a level that `packets` packets cross in both directions. */
static uint64_t both_directions(const struct collective *collective, unsigned level,
                                uint64_t packets)
{
    uint32_t lanes = collective->topology->capacity[level];
    if (model_row(collective->model)->one_link)
        lanes = MIN(lanes, 2);
    return bits_divide_up(packets, lanes) + 2 * level - 2;
}

/* Returns the most steps of both_directions over all levels, of the same number of packets. */
static uint64_t both_directions_most(const struct collective *collective, uint64_t packets)
{
    uint64_t most = 0;
    for (unsigned level = 1; level <= collective->topology->height; level++)
        most = bound_larger(most, both_directions(collective, level, packets));
    return most;
}

/* Half-duplex lanes: the packets that cross the branches of a level in both directions: in an
 * all-gather n packets, one of each leaf, in an all-reduce m packets each way, in a total exchange
 * 2 N_{i-1}(n - N_{i-1}). The first packet crosses in step i or later, and after the last there are
 * at least i - 1 more steps. A branch carries c_i packets in a step; in the single-port model at
 * most one from each end. */
static uint64_t tree_both_directions_all_gather(const struct collective *collective)
{
    return both_directions_most(collective, collective->topology->nodes);
}

static uint64_t tree_both_directions_all_reduce(const struct collective *collective)
{
    return both_directions_most(collective, 2 * (uint64_t)collective->m);
}

static uint64_t tree_both_directions_exchange(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t inside = tree->leaves[level - 1];
        uint64_t steps = both_directions(collective, level, 2 * inside * (n - inside));
        most = MAX(most, steps);
    }
    return most;
}

/* Returns whether a schedule of T > 2h steps leaves room for the receptions, for every i. */
static bool is_late_enough(const struct topology *tree, uint64_t t)
{
    uint64_t n = tree->nodes;
    for (unsigned level = 1; level < tree->height; level++) {
        uint64_t delay = 2 * (uint64_t)(tree->height - level);
        uint64_t misses = (t - 2) / delay;
        if (n - n / tree->leaves[level] > misses * (t - n))
            return false;
    }
    return true;
}

/* Multiport, k_i = k, c_1 = 1: a leaf that misses no reception must receive from nearby leaves all
 * the time. Theorem 8, corrected: a legal T has n(1 - k^-i) ≤ ⌈(T - 2(h-i) - 1) / (2(h-i))⌉ (T -
 * n) for each i = 1 … h-1. */
static uint64_t tree_delay(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t t = tree->nodes;
    while (!is_late_enough(tree, t))
        t++;
    return t;
}

/* -- Any demands ------------------------------------------------------------------------------- */

/* The rules of the single-port model differ backwards, so that a reversed bound holds for no
 * reduction there. */
static bool any_routes_applies(const struct collective *collective)
{
    return bound_any_applies(collective) &&
           !(collective_rows[collective->kind].combined && model_row(collective->model)->one_link);
}

/* Applies bound_routes to the packets of the collective; for a reduction, to those of the
 * collective that it reverses. 0 if there is no memory. O(transfers · log transfers). */
static uint64_t any_routes(const struct collective *collective)
{
    struct schedule demands = {0};
    struct collective asked = *collective;
    if (collective_rows[asked.kind].combined)
        asked.kind = collective_rows[asked.kind].reversed;
    asked.m = 1;
    if (!schedule_init(&demands, "", &asked, NULL))
        return 0;
    asked.demands = &demands;
    uint64_t most = bound_routes(&asked);
    schedule_free(&demands);
    return most;
}

const struct bound bound_tree[] = {
    {"parent-first", "h-l-1+Σk_i, Σk_i from the root, +(m-1)max(k_i, i<h; k_h-1)",
     LEAF " Theorem 1, equation (2), for m packets", SINGLE_PORT, BROADCAST, bound_any_is_levels,
     tree_broadcast},
    {"way", "2h-l+⌈m/c⌉-1, c=min c_i", LEAF " section 3.1", MULTIPORT, BROADCAST | REDUCTIONS,
     bound_any_is_levels, tree_path},
    {"way", "2h+m-1", "the way between the farthest leaves", SINGLE_PORT, REDUCTIONS,
     bound_any_is_levels, tree_path},
    {"router-load", "max_i i+(k_i+1)m+Σ_{j<i} k_j, k_h for k_h+1",
     "each branch carries each packet up and down", SINGLE_PORT, ALL_REDUCE, bound_any_is_levels,
     tree_all_reduce},
    {"one-link", "max_i ⌈(n-N_{i-1})/w_i⌉+2i-1, w_i=min(c_1…c_i)", LEAF " Theorem 2, general c_i",
     SINGLE_PORT | MULTIPORT, SCATTER | GATHER, bound_any_is_levels, tree_scatter},
    {"router-load", "max_i i+k_i n+Σ_{j<i} k_j, k_h-1 for k_h", LEAF " Theorem 3, general k_i",
     SINGLE_PORT, ALL_GATHER, bound_any_is_levels, tree_all_gather},
    {"receptions", "max_i ⌈(n-N_{i-1})/w_i⌉+2i-1, w_i=min(c_1…c_i)", LEAF " Theorem 7, general c_i",
     MULTIPORT, ALL_GATHER | REDUCE_SCATTER, bound_any_is_levels, tree_link},
    {"messages", "max(n(n-N_{h-1})+2h-1, N_i(2n-N_i-N_{i-1})+2i-1)",
     LEAF " Theorem 5, with the root's own load", SINGLE_PORT, TOTAL_EXCHANGE, bound_any_is_levels,
     tree_total_exchange},
    {"cut", "max_i ⌈N_{i-1}(n-N_{i-1})/e_i⌉+2i-1, e_i=min(c_i,k_{i-1}e_{i-1})",
     LEAF " equation (3) for each level", MULTIPORT, TOTAL_EXCHANGE, bound_any_is_levels, tree_cut},
    {"exchange-receptions", "max_i ⌈(n-N_{i-1})/w_i⌉+2i-1, w_i=min(c_1…c_i)",
     LEAF " equation (3), each leaf", MULTIPORT, TOTAL_EXCHANGE, bound_any_is_levels, tree_link},
    {"delay", "n(1-k^-i) ≤ ⌈(T-2(h-i)-1)/2(h-i)⌉(T-n), i < h", LEAF " Theorem 8, corrected",
     MULTIPORT, TOTAL_EXCHANGE, tree_is_even, tree_delay},
    {"in-flight", "Σ_i (N_i-N_{i-1})(2i-1) ≤ Σ_{t<T} min(c_1 t, c_1(T-t), n-1, c_1 T-n+1)",
     "packets that are sent and have not arrived", MULTIPORT, TOTAL_EXCHANGE, bound_any_is_levels,
     tree_in_flight},
    {"hanging", "b(T)=max_i b(T_i)+i, b(T_1)≥b(T_2)≥…; multiport: distance; +⌈m/c⌉-1",
     LEAF " equation (1), for a list of parents", SINGLE_PORT | MULTIPORT, BROADCAST,
     bound_any_applies, bound_any_broadcast},
    {"distance", "distance of the furthest leaf+⌈m/c⌉-1", "the path from it, for a list of parents",
     SINGLE_PORT | MULTIPORT, REDUCTIONS, bound_any_applies, bound_any_distance},
    {"router-load", "max over routers of links before + copies + steps after",
     "a router sends copies one by one, for a list of parents", SINGLE_PORT, BROADCAST | ALL_REDUCE,
     bound_any_applies, bound_any_copies},
    {"furthest-first", "max_i ⌈i/c⌉-1+d_i, d_1≥d_2≥… on a branch of the source",
     "packets cross it one by one, for a list of parents", SINGLE_PORT | MULTIPORT,
     SCATTER | GATHER, bound_any_applies, bound_any_scatter},
    {"ways", "max over branches of links before + packets/c + links after",
     "packets cross a branch one by one, for a list of parents", SINGLE_PORT | MULTIPORT,
     ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, any_routes_applies, any_routes},
    {"router-sends", "n+2h-1", "the root sends a partial result of each packet", SINGLE_PORT,
     REDUCE_SCATTER, bound_any_is_levels, tree_root_sends},
    {"router-sends", "max over nodes of links before + packets + links after",
     "a node sends partial results one by one, for a list of parents", SINGLE_PORT, REDUCE_SCATTER,
     bound_any_applies, bound_any_sends},
    {"both-ways", "max_i ⌈n/c_i⌉+2i-2", LEAF " section 1.1: half-duplex links",
     SINGLE_PORT | MULTIPORT, ALL_GATHER | REDUCE_SCATTER, tree_is_half_duplex,
     tree_both_directions_all_gather},
    {"both-ways", "max_i ⌈2m/c_i⌉+2i-2", LEAF " section 1.1: half-duplex links",
     SINGLE_PORT | MULTIPORT, ALL_REDUCE, tree_is_half_duplex, tree_both_directions_all_reduce},
    {"both-ways", "max over branches of links before + 2m/c + links after",
     "packets cross it both ways, for a list of parents", SINGLE_PORT | MULTIPORT, ALL_REDUCE,
     any_is_half_duplex, bound_any_both_directions},
    {"both-ways", "max_i ⌈2N_{i-1}(n-N_{i-1})/c_i⌉+2i-2", LEAF " section 1.1: half-duplex links",
     SINGLE_PORT | MULTIPORT, TOTAL_EXCHANGE, tree_is_half_duplex, tree_both_directions_exchange},
    {"ways", "max over ports of a+⌈w/c⌉+b-1",
     "w packets pass a port of c lanes, the first in round a, and have b rounds to go after it",
     SINGLE_PORT | MULTIPORT, DEMANDS, NULL, bound_routes},
    {0},
};
