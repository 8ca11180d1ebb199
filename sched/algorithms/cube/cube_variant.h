/* SPDX-License-Identifier: Apache-2.0 */
/* cube_variant: the methods of cube-broadcast.
 *
 *     prefix     tree      2d + 1 rounds, the folded tree: the roots learn K
 *                exchange  d rounds, recursive doubling: all nodes learn K
 *                none      no positions: each packet draws its tree from a seed
 *     overlap    apart     the spread begins when the gather has surely ended; a last packet marks
 *                          the end
 *                gather    roots forward at once; the gather has priority on every arc
 *                spread    roots forward at once; the spread has priority on every arc
 *                detect    a root begins when the last packet of its gather has arrived, which it
 *                          detects (cube_overlap.c); the gather has priority
 *
 * Without positions no node knows in advance when the gather ends: `none` requires an overlap, and
 * `detect` requires `none`.
 */
#ifndef ROUNDCAST_CUBE_VARIANT_H
#define ROUNDCAST_CUBE_VARIANT_H

#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

/* CUBE_PREFIX_POSITIONS is the folded tree without its last round, for cube-ranked, whose nodes do
 * not need K. */
enum cube_prefix {
    CUBE_PREFIX_TREE,
    CUBE_PREFIX_EXCHANGE,
    CUBE_PREFIX_NONE,
    CUBE_PREFIX_POSITIONS
};
enum cube_overlap { CUBE_APART, CUBE_GATHER_FIRST, CUBE_SPREAD_FIRST, CUBE_DETECTED };

/* Method, prefix, overlap; the default method first. */
#define CUBE_VARIANTS(X)                                          \
    X("tree", CUBE_PREFIX_TREE, CUBE_APART)                       \
    X("exchange", CUBE_PREFIX_EXCHANGE, CUBE_APART)               \
    X("tree-gather", CUBE_PREFIX_TREE, CUBE_GATHER_FIRST)         \
    X("tree-spread", CUBE_PREFIX_TREE, CUBE_SPREAD_FIRST)         \
    X("exchange-gather", CUBE_PREFIX_EXCHANGE, CUBE_GATHER_FIRST) \
    X("exchange-spread", CUBE_PREFIX_EXCHANGE, CUBE_SPREAD_FIRST) \
    X("random-gather", CUBE_PREFIX_NONE, CUBE_GATHER_FIRST)       \
    X("random-spread", CUBE_PREFIX_NONE, CUBE_SPREAD_FIRST)       \
    X("random-detect", CUBE_PREFIX_NONE, CUBE_DETECTED)

struct cube_variant {
    enum cube_prefix prefix;
    enum cube_overlap overlap;
};

/* Returns the prefix and overlap of a method. */
static inline struct cube_variant cube_variant_of(unsigned method)
{
#define CUBE_VARIANT_ENTRY(name, prefix, overlap) {prefix, overlap},
    static const struct cube_variant variants[] = {CUBE_VARIANTS(CUBE_VARIANT_ENTRY)};
#undef CUBE_VARIANT_ENTRY
    return variants[method];
}

/* -- Overlaps of gather and spread ------------------------------------------------------------- */

/* Packets climb to the roots of d edge-disjoint trees, and the roots forward them at once, or as
 * soon as they detect the end of their gather.
 *
 * An arc of a tree is, in the opposite direction, an arc of another tree's climb. In each round
 * either the gather or the spread uses the arc, by the rule below, and the other phase waits.
 * Except with `detected`, no node is informed of the end. N is the largest number of packets of a
 * tree:
 *
 *     gather first   at most 2N + 2d - 2 rounds: the gather ends as if it were alone, after N + d -
 *                    1, and from then on each tree is a pipeline of at most N packets
 *     spread first   the paper's rule; may take somewhat longer
 *     detected       gather first, and a root forwards nothing before it has detected the end of
 *                    its gather (cube_overlap.c). After all its packets it sends a last packet. At
 *                    most 2N + 2d rounds: the gather with its ends takes N + d, and from then on
 *                    each tree is a pipeline of at most N + 1 packets.
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the
 * hypercube", section 3.2, the end; the bounds are ours. */

/* Appends the steps after round `after`, for the packets of simultaneous broadcasts; `rng` as in
 * cube_climb_init. With CUBE_DETECTED it also adds the control packets. E102, E104. Precondition:
 * `kind` is not CUBE_APART. O(rounds · (d 2^d + K log K)). */
bool cube_overlap_build(const struct collective *collective, struct rng *rng,
                        enum cube_overlap kind, uint64_t after, struct schedule *schedule,
                        struct err *err);

/* -- Positions of packets ---------------------------------------------------------------------- */

/* Each node of a hypercube learns the positions of its packets, and the roots of the trees learn
 * the number of packets.
 *
 * a_x packets start at node x; their positions are r_x - a_x + 1 … r_x, where r_x = a_x + a_{x+1} +
 * … + a_{n-1}. For d = 2, with sums as [from, to], in 2d + 1 rounds by the folded tree:
 *
 *     round 1   1 → 0: [1, 1]          3 → 2: [3, 3]      sums go to the lower half of each block
 *     round 2   2 → 0: [2, 3]                             of 2, then of 4
 *     round 3   0 → 2: [4, …] = 0                         the sum right of the block goes to its
 *     round 4   0 → 1: [2, 3]          2 → 3: [4, …] = 0  upper half
 *     round 5   0 → 1 and 0 → 2: [0, 3] = K               to the roots of the trees
 *
 * or in d rounds by exchange (recursive doubling), after which all nodes know K:
 *
 *     round 1   0 → 1: [0, 0]   1 → 0: [1, 1]   2 → 3: [2, 2]   3 → 2: [3, 3]
 *     round 2   0 → 2: [0, 1]   1 → 3: [0, 1]   2 → 0: [2, 3]   3 → 1: [2, 3]
 *
 * Partners exchange the sums of their blocks; the lower partner adds the upper's sum to its
 * positions.
 *
 * Stamoulis and Tsitsiklis, section 3.2, phase 1; the folded tree of section 2.2. The exchange is
 * ours. */

/* Returns the number of rounds: 2d + 1 for the folded tree, 2d without the round that sends K, d
 * for the exchange, 0 for no prefix. */
uint64_t cube_prefix_rounds(enum cube_prefix prefix, unsigned dimensions);

/* Appends the steps, and adds after the existing demands the control packets that sum their
 * packets: 2(2^d - 1) for the folded tree and one for K, d 2^d for the exchange. E102, E104.
 * O(packets).
 *
 * Each sum is a control packet with the sum as its value. It is composed of sums that its node has
 * received or sent: node 2 sends [2, 3] in round 2 of the exchange, composed of [2, 2], which it
 * sent in round 1, and [3, 3], which it received in round 1. */
bool cube_prefix_build(enum cube_prefix prefix, struct schedule *schedule, struct err *err);

#endif
