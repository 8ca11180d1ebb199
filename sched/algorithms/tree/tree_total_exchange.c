/* SPDX-License-Identifier: Apache-2.0 */
/* tree-total-exchange: every leaf of a tree has a packet of its own for every other leaf.
 * docs/algorithms/tree.md gives its bounds and corrects the paper.
 *
 * single-port: leaves send the furthest packet first, routers send upwards first
 * (tree_fifo.h). Optimal.
 *
 * multiport: in phase l, at all routers of level l in parallel, the subtrees of their k = k_l
 * children, of m = N_{l-1} leaves each, exchange all packets, c packets a step from each
 * (tree_phases.h); no packet waits at a router. Leaves send in L_l = ⌈(k - 1) m² / c⌉ steps. k = 2,
 * 2, c = 1, 2:
 *
 *     phase  step   leaves send                      branches to level 1 (up, down) and 2 (up,
 *                                                    down), in steps
 *     1      1      0→1 1→0 2→3 3→2                  1  2
 *     2      2      0→2 1→3 2→0 3→1                  2  5   3  4
 *     2      3      0→3 1→2 2→1 3→0                  3  6   4  5
 *
 * pipelined: phases one after another, nearest first: Σ L_l + 2h - 1. phases: a phase starts when
 * the previous phase has ended: Σ L_l + h². interleaved: the fewest steps, on trees whose branches
 * carry a packet for each leaf below (tree_interleaved.h).
 *
 * O(transfers · h), single-port O(transfers · h + steps · routers / 64); Σ_l 2l n (N_l - N_{l-1})
 * transfers. V. V. Dimakopoulos and N. J. Dimopoulos, "Leaf Communications in Complete Trees",
 * 1996, sections 2.4 (Figure 5) and 3.3, corrected. The form for general k_i and the packets'
 * numbers are ours.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/furthest_first.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/algorithms/tree/tree_fifo.h"
#include "sched/algorithms/tree/tree_interleaved.h"
#include "sched/algorithms/tree/tree_phases.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

enum method { PIPELINED, PHASES, INTERLEAVED };

static const char *const methods[] = {"pipelined", "phases", "interleaved", NULL};

static bool exchange_accepts(const struct collective *collective, struct err *err)
{
    if (!tree_accepts_no_source("tree-total-exchange", methods, collective, err))
        return false;
    return collective->method != INTERLEAVED || tree_interleaved_applies(collective->topology) ||
           err_set(err, ERR_ALGORITHM,
                   "{method}: interleaved requires branches with a lane for each leaf below and "
                   "leaves with one link; expected {capacity} exp, or pipelined");
}

/* Returns the number of packets that a child subtree of level l - 1 sends in phase l. */
static uint64_t packets_of(const struct topology *tree, unsigned level)
{
    return (uint64_t)tree->leaves[level - 1] * (tree->leaves[level] - tree->leaves[level - 1]);
}

/* The source and destination of packet number q of a child subtree: leaves of two subtrees.
 *
 * The packets are numbered q = 0 … (k - 1) m² - 1; for c < S packet q is sent in step ⌊q / c⌋ of
 * the phase (struct window), from leaf rev(u) of subtree a to leaf rev(v) of subtree a + δ (mod k):
 *
 *     s = ⌊q / S⌋, S = (k - 1) m     δ = 1 + ⌊(q mod S) / m⌋     u = q mod m     v = (u + s) mod m
 *
 * rev is tree_reverse: any c consecutive packets spread evenly over all branches. */
struct message {
    uint32_t from, to, shift; /* shift: δ, 1 … k - 1 */
};

static struct message message_of(const struct topology *tree, unsigned level, uint64_t q)
{
    uint32_t m = tree->leaves[level - 1], round = tree->leaves[level] - m; /* round: S */
    uint32_t u = (uint32_t)(q % m), s = (uint32_t)(q / round);
    return (struct message){.from = tree_reverse(tree, level, u),
                            .to = tree_reverse(tree, level, (u + s) % m),
                            .shift = 1 + (uint32_t)(q % round) / m};
}

/* Packets q = first … first + count - 1, which a child subtree sends in a step; at most `width`.
 *
 * For c < S a step has one window, of c packets. With c_1 > 1, c = b S + r with b ≥ 1 is possible:
 * a step then has b whole rounds of S packets, which are even on all branches, and a window of r
 * packets of the rounds at the end, as if c were r: in L = ⌈(k - 1) m² / c⌉ steps b L rounds are
 * whole, and at most r L packets remain. */
struct window {
    uint64_t first, count, width;
    uint64_t before; /* packets of the step before the window, in whole rounds */
};

static struct window window_from(uint64_t first, uint64_t end, uint64_t width, uint64_t before)
{
    uint64_t left = first < end ? end - first : 0;
    return (struct window){first, MIN(left, width), width, before};
}

/* Finds the two windows of step `at` of a phase: the whole rounds, and the rest. */
static void find_windows(const struct topology *tree, unsigned level, uint64_t at,
                         struct window window[2])
{
    uint64_t c = topology_flow(tree, level), all = packets_of(tree, level);
    uint64_t round = tree->leaves[level] - tree->leaves[level - 1]; /* S */
    uint64_t whole = c / round * round, rest = c - whole;
    uint64_t steps = bits_divide_up(all, c), split = MIN(whole * steps, all);
    window[0] = window_from(at * whole, split, whole, 0);
    window[1] = window_from(split + at * rest, all, rest, whole);
}

/* Returns the lane of packet number `place` of a window.
 *
 * On a branch to level j ≤ l packet number i of a step takes lane ⌊i / P⌋ upwards, P = m / N_{j-1},
 * and ⌊(i + x) / P⌋ downwards: where s grows within a window of fewer than S packets the v's skip
 * one value; x = 1 for the packets after it, if P does not divide the window's width w. (If it
 * does, the numbers of packets before and after it are multiples of P. If not, the v's are within w
 * + 1 consecutive values, and ⌈(w + 1) / P⌉ = ⌈w / P⌉. P divides S, so whole rounds need no x.) */
static uint32_t lane_of(const struct topology *tree, struct tree_crossing crossing,
                        const struct window *window, uint64_t place)
{
    const unsigned level = crossing.level;
    uint32_t share = tree->leaves[level - 1] / tree->leaves[crossing.branch - 1]; /* P */
    uint32_t round = tree->leaves[level] - tree->leaves[level - 1];
    bool skips =
        window->width % share != 0 && window->first / round < (window->first + place) / round;
    return (uint32_t)(window->before / share + (place + (!crossing.up && skips)) / share);
}

/* Appends one message of every child subtree of every router of the level. */
static bool cross_all(const struct topology *tree, struct tree_crossing crossing,
                      struct message message, uint32_t lane, struct schedule *schedule,
                      struct err *err)
{
    uint32_t n = tree->nodes, m = tree->leaves[crossing.level - 1],
             all = tree->leaves[crossing.level];
    for (uint32_t first = 0; first < n; first += m) {
        uint32_t other = first - first % all + (first % all + message.shift * m) % all;
        uint32_t from = first + message.from, to = other + message.to;
        uint32_t packet = collective_packet(COLLECTIVE_TOTAL_EXCHANGE, n, from, to);
        if (!tree_phases_append(schedule, crossing, crossing.up ? from : to, packet, lane, err))
            return false;
    }
    return true;
}

static bool cross(const struct topology *tree, struct tree_crossing crossing,
                  struct schedule *schedule, struct err *err)
{
    const unsigned level = crossing.level;
    struct window window[2];
    find_windows(tree, level, crossing.at, window);
    for (unsigned which = 0; which < 2; which++)
        for (uint64_t place = 0; place < window[which].count; place++) {
            const struct message message = message_of(tree, level, window[which].first + place);
            uint32_t lane = lane_of(tree, crossing, &window[which], place);
            if (!cross_all(tree, crossing, message, lane, schedule, err))
                return false;
        }
    return true;
}

static struct tree_phases phases_of(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    struct tree_phases phases = {
        .tree = tree, .apart = collective->method == PHASES, .cross = cross};
    for (unsigned level = 1; level <= tree->height; level++)
        phases.length[level] = bits_divide_up(packets_of(tree, level), topology_flow(tree, level));
    return phases;
}

/* Returns the last step in the single-port model, in which the root, or a router of level i, sends
 * without a pause:
 *
 *     max( n(n - N_{h-1}) + 2h - 1,   max_{i<h} [ N_i (2n - N_i - N_{i-1}) + 2i - 1 ] )
 *
 * Theorems 5 and 6 only consider the router of level h - 1; for k ≥ 3 the root takes longer. */
static uint64_t single_port_end(const struct topology *tree)
{
    unsigned h = tree->height;
    uint64_t n = tree->nodes, end = n * (n - tree->leaves[h - 1]) + 2 * (uint64_t)h - 1;
    for (unsigned i = 1; i < h; i++) {
        uint64_t busy =
            tree->leaves[i] * (2 * n - tree->leaves[i] - tree->leaves[i - 1]) + 2 * (uint64_t)i - 1;
        end = MAX(end, busy);
    }
    return end;
}

static uint64_t exchange_end(const struct collective *collective)
{
    if (collective->topology->any)
        return tree_any_end(collective);
    if (model_row(collective->model)->one_link)
        return single_port_end(collective->topology);
    if (collective->method == INTERLEAVED)
        return tree_interleaved_end(collective->topology);
    const struct tree_phases phases = phases_of(collective);
    return tree_phases_end(&phases);
}

static size_t count_transfers(const struct topology *tree)
{
    size_t transfers = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        transfers +=
            2 * (size_t)level * tree->nodes * (tree->leaves[level] - tree->leaves[level - 1]);
    return transfers;
}

static bool exchange_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    if (collective->topology->any)
        return tree_any_build(collective, schedule, err);
    if (model_row(collective->model)->one_link)
        return tree_total_exchange_queues_build(collective, schedule, err);
    const struct tree_phases phases = phases_of(collective);
    if (!schedule_reserve(schedule, exchange_end(collective), count_transfers(collective->topology),
                          err))
        return false;
    return collective->method == INTERLEAVED
               ? tree_interleaved_build(collective->topology, schedule, err)
               : tree_phases_build(&phases, schedule, err);
}

const struct algorithm algorithm_tree_total_exchange = {
    .name = "tree-total-exchange",
    .alias = "tree-exchange",
    .summary =
        "every leaf to every other: single-port optimal; multiport without queues in routers",
    .source = "Dimakopoulos, Dimopoulos, Figures 5, corrected, and 6",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_TOTAL_EXCHANGE,
    .methods = methods,
    .method_models = 1u << MODEL_MULTIPORT,
    .accepts = exchange_accepts,
    .end = exchange_end,
    .build = exchange_build,
};
