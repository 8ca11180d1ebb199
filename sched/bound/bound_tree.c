/* SPDX-License-Identifier: Apache-2.0 */
/* bound_tree: lower bounds for collectives among the leaves of a tree (Dimakopoulos and
 * Dimopoulos), corrected, and for any demands there. collective->topology has h levels, k_i
 * children of a node of level i, N_i leaves below it, c_i links of a branch below it, n = N_h. O(h)
 * each if nothing else is stated. */
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_rows.h"
#include "sched/schedule/demand_ways.h"

#include <stdlib.h>

#define LEAF "Dimakopoulos, Dimopoulos,"

/* Returns whether all k_i are equal and h ≥ 2. */
static bool tree_is_even(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    bool even = tree->height >= 2;
    for (unsigned level = 2; level <= tree->height; level++)
        even = even && tree->children[level] == tree->children[1];
    return even;
}

/* Single-port: h - 1 + Σ k_i, Theorem 1. Multiport: 2h, the path over the root. */
static uint64_t tree_broadcast(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t steps = tree->height - 1;
    for (unsigned level = 1; level <= tree->height; level++)
        steps += tree->children[level];
    return steps;
}

static uint64_t tree_path(const struct collective *collective)
{
    return 2 * (uint64_t)collective->topology->height;
}

/* A leaf has one link for n - 1 packets in either direction, and the last of them takes one step on
 * the other side; n + 1 if k_1 = 2 and h ≥ 2. */
static uint64_t tree_link(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    return (uint64_t)tree->nodes + (tree->children[1] == 2 && tree->height >= 2);
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

/* Multiport: the packets that must cross the branches of a level. Equation (3) for each level. */
static uint64_t tree_cut(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t inside = tree->leaves[level - 1], lanes = tree->capacity[level];
        most = MAX(most, (inside * (n - inside) + lanes - 1) / lanes + 2 * level - 1);
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

/* Multiport, k_i = k: a leaf that misses no reception must receive from nearby leaves all the time.
 * Theorem 8, corrected: a legal T has n(1 - k^-i) ≤ ⌈(T - 2(h-i) - 1) / (2(h-i))⌉ (T - n) for each
 * i = 1 … h-1. */
static uint64_t tree_delay(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t t = tree->nodes;
    while (!is_late_enough(tree, t))
        t++;
    return t;
}

/* -- Any demands ------------------------------------------------------------------------------- */

/* Compares by port, then by descending number of links after it. */
static int compare_after(const void *left, const void *right)
{
    const struct demand_way *a = left, *b = right;
    return compare_then(COMPARE(a->port, b->port), COMPARE(b->after, a->after));
}

/* Compares by port, then by descending number of links before it. */
static int compare_before(const void *left, const void *right)
{
    const struct demand_way *a = left, *b = right;
    return compare_then(COMPARE(a->port, b->port), COMPARE(b->before, a->before));
}

/* Returns the most rounds that a port needs for some prefix of its packets, in the order of the
 * comparison. */
static uint64_t busiest(struct demand_ways *ways, int (*compare)(const void *, const void *))
{
    uint64_t most = 0, count = 0, before = 0, after = 0;
    qsort(ways->way, ways->count, sizeof *ways->way, compare);
    for (uint32_t w = 0; w < ways->count; w++) {
        const struct demand_way *way = &ways->way[w];
        bool first = w == 0 || way->port != way[-1].port;
        count = first ? 1 : count + 1;
        before = first || way->before < before ? way->before : before;
        after = first || way->after < after ? way->after : after;
        uint64_t turns = bits_divide_up(count, ways->width[way->port]);
        most = bound_larger(most, before + turns + after - 1);
    }
    return most;
}

/* In a tree the path of a packet is fixed. For each port, and for all its packets with at least k
 * links after the port, or before it: the first packet arrives after some links, all packets use
 * the port one after another, and the last one has k links left. O(Σ links · log). */
static uint64_t ways_tree(const struct collective *collective)
{
    struct schedule as_asked = *collective->demands;
    struct demand_ways ways;
    as_asked.model = collective->model;
    if (!demand_ways_new(&as_asked, DEMAND_WAYS_SHORTEST, NULL, &ways, NULL))
        return 0;
    uint64_t most = bound_larger(busiest(&ways, compare_after), busiest(&ways, compare_before));
    demand_ways_free(&ways);
    return most;
}

const struct bound bound_tree[] = {
    {"parent-first", "h-1+Σk_i", LEAF " Theorem 1", SINGLE_PORT, BROADCAST, NULL, tree_broadcast},
    {"way", "2h", LEAF " section 3.1", MULTIPORT, BROADCAST | REDUCTIONS, NULL, tree_path},
    {"way", "2h", "the way between the farthest leaves", SINGLE_PORT, REDUCTIONS, NULL, tree_path},
    {"one-link", "n, n+1 if k_1 = 2", LEAF " Theorem 2", SINGLE_PORT | MULTIPORT, SCATTER | GATHER,
     NULL, tree_link},
    {"router-load", "max_i i+k_i n+Σ_{j<i} k_j, k_h-1 for k_h", LEAF " Theorem 3, general k_i",
     SINGLE_PORT, ALL_GATHER, NULL, tree_all_gather},
    {"receptions", "n, n+1 if k_1 = 2", LEAF " Theorem 7", MULTIPORT, ALL_GATHER | REDUCE_SCATTER,
     NULL, tree_link},
    {"messages", "max(n(n-N_{h-1})+2h-1, N_i(2n-N_i-N_{i-1})+2i-1)",
     LEAF " Theorem 5, with the root's own load", SINGLE_PORT, TOTAL_EXCHANGE, NULL,
     tree_total_exchange},
    {"cut", "max_i ⌈N_{i-1}(n-N_{i-1})/c_i⌉+2i-1", LEAF " equation (3) for each level", MULTIPORT,
     TOTAL_EXCHANGE, NULL, tree_cut},
    {"exchange-receptions", "n, n+1 if k_1 = 2", LEAF " equation (3) for the leaves", MULTIPORT,
     TOTAL_EXCHANGE, NULL, tree_link},
    {"delay", "n(1-k^-i) ≤ ⌈(T-2(h-i)-1)/2(h-i)⌉(T-n), i < h", LEAF " Theorem 8, corrected",
     MULTIPORT, TOTAL_EXCHANGE, tree_is_even, tree_delay},
    {"ways", "max over ports of a+⌈w/c⌉+b-1",
     "w packets pass a port of c lanes, the first in round a, and have b rounds to go after it",
     SINGLE_PORT | MULTIPORT, DEMANDS, NULL, ways_tree},
    {0},
};
