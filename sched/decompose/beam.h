/* SPDX-License-Identifier: Apache-2.0 */
/* beam: a table of equal sums as few permutations, by a beam search.
 *
 * A state is what is left of the table. A step takes a permutation from it, as often as its least
 * entry allows, so that an entry becomes empty at least. Of all steps from the states of one level,
 * the `width` best lead to the next; the search ends when a state is empty.
 *
 * What is left is judged by how much there is to say of it: the sum of log2(1 + entry), the number
 * of entries that are not empty, and the number of different values. Equal values can become empty
 * together, small ones soon meet equal ones. Permutations are tried for each value of the table, as
 * the least entry: the one that takes the most of that sum (`shrink`), empties entries, and leaves
 * values that others have (`bonus`). Up to BEAM_ALL nodes all permutations are tried; there bits
 * tell little, and values that are sums of two others (relations.h) tell the most. As all searches
 * of such a table come to much the same states, the `first` steps can be drawn.
 */
#ifndef ROUNDCAST_BEAM_H
#define ROUNDCAST_BEAM_H

#include "sched/base/rng.h"
#include "sched/decompose/decompose.h"

#define BEAM_ALL 5
#define BEAM_MAX_NODES 64

struct beam_rule {
    unsigned width;    /* 1 or more */
    unsigned bits;     /* what a bit counts: 0 or 1 … */
    unsigned filled;   /* … an entry that is not empty … */
    unsigned distinct; /* … and a different value */
    unsigned shrink;   /* what a bit counts in a permutation, against 1000 of an empty entry */
    unsigned bonus;    /* what a value counts in one that is there anyway */
    unsigned noise;    /* up to this much is added at random */
    unsigned sums;     /* what a sum counts, of BEAM_ALL nodes at most; 0 for larger tables */
    unsigned first;    /* so many steps are drawn from all */
};

/* Working memory; opaque. */
struct beam;

/* For tables of 1 … BEAM_MAX_NODES rows and up to `width` states. E104. */
struct beam *beam_new(uint32_t nodes, unsigned width, struct err *err);
void beam_free(struct beam *beam);

/* Look for a decomposition of table[nodes][nodes] into fewer than `limit` permutations, exactly.
 * Precondition: all rows and columns have the same sum, not 0. False if none is found; else
 * decomposition, which must have these nodes, becomes it. E104 into err, if memory runs out. */
bool beam_search(struct beam *beam, const uint32_t table[], size_t limit, struct beam_rule rule,
                 struct rng *rng, struct decomposition *decomposition, struct err *err);

#endif
