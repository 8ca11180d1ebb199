/* SPDX-License-Identifier: Apache-2.0 */
/* cube_way: the methods of cube-broadcast.
 *
 *     prefix     tree      2d + 1 slots, the folded tree: the roots learn K
 *                exchange  d slots, recursive doubling: all nodes learn K
 *                none      no ranks: each packet draws its tree from a seed
 *     overlap    apart     the spread begins when the gather has surely ended; a last packet marks
 *                          the end
 *                gather    roots forward at once; if both phases want an arc, the gather has it
 *                spread    the same, but the spread has it
 *                detect    a root begins when the last packet of its gather has come, which it
 *                          detects (cube_ends.h); the gather has the arcs that both want
 *
 * Without ranks no node knows beforehand when the gather ends: none requires an overlap, and detect
 * is only for it.
 */
#ifndef ROUNDCAST_CUBE_WAY_H
#define ROUNDCAST_CUBE_WAY_H

/* CUBE_PREFIX_RANKS is the folded tree without its last slot, for algorithms whose nodes need no K:
 * cube-ranked. */
enum cube_prefix { CUBE_PREFIX_TREE, CUBE_PREFIX_EXCHANGE, CUBE_PREFIX_NONE, CUBE_PREFIX_RANKS };
enum cube_overlap { CUBE_APART, CUBE_GATHER_FIRST, CUBE_SPREAD_FIRST, CUBE_DETECTED };

/* Method, prefix, overlap; the usual one first. */
#define CUBE_WAYS(X)                                              \
    X("tree", CUBE_PREFIX_TREE, CUBE_APART)                       \
    X("exchange", CUBE_PREFIX_EXCHANGE, CUBE_APART)               \
    X("tree-gather", CUBE_PREFIX_TREE, CUBE_GATHER_FIRST)         \
    X("tree-spread", CUBE_PREFIX_TREE, CUBE_SPREAD_FIRST)         \
    X("exchange-gather", CUBE_PREFIX_EXCHANGE, CUBE_GATHER_FIRST) \
    X("exchange-spread", CUBE_PREFIX_EXCHANGE, CUBE_SPREAD_FIRST) \
    X("random-gather", CUBE_PREFIX_NONE, CUBE_GATHER_FIRST)       \
    X("random-spread", CUBE_PREFIX_NONE, CUBE_SPREAD_FIRST)       \
    X("random-detect", CUBE_PREFIX_NONE, CUBE_DETECTED)

struct cube_way {
    enum cube_prefix prefix;
    enum cube_overlap overlap;
};

/* The way of a method. */
static inline struct cube_way cube_way_of(unsigned method)
{
#define CUBE_WAY_ENTRY(name, prefix, overlap) {prefix, overlap},
    static const struct cube_way ways[] = {CUBE_WAYS(CUBE_WAY_ENTRY)};
#undef CUBE_WAY_ENTRY
    return ways[method];
}

/* The method of a way. Precondition: no prefix means an overlap. */
static inline unsigned cube_way_method(struct cube_way way)
{
    unsigned method = 0;
    while (cube_way_of(method).prefix != way.prefix || cube_way_of(method).overlap != way.overlap)
        method++;
    return method;
}

#endif
