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
 *                          detects (cube_ends.h); the gather has priority
 *
 * Without positions no node knows in advance when the gather ends: `none` requires an overlap, and
 * `detect` requires `none`.
 */
#ifndef ROUNDCAST_CUBE_VARIANT_H
#define ROUNDCAST_CUBE_VARIANT_H

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

/* Returns the method with this prefix and overlap. Precondition: there is one. */
static inline unsigned cube_variant_method(struct cube_variant variant)
{
    unsigned method = 0;
    while (cube_variant_of(method).prefix != variant.prefix ||
           cube_variant_of(method).overlap != variant.overlap)
        method++;
    return method;
}

#endif
