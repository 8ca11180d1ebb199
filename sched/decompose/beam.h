/* SPDX-License-Identifier: Apache-2.0 */
/* beam: decomposes a table with equal sums into few permutations, by a beam search.
 *
 * A state is the remainder of the table. A step subtracts a permutation as often as its least entry
 * allows, so that at least one entry becomes 0. Of all steps from the states of one level, the
 * `width` best lead to the next level. The search ends when a state is empty.
 *
 * A remainder is rated by the amount of information in it: the sum of log2(1 + entry), the number
 * of entries that are not 0, and the number of different values. Equal values can become 0
 * together, and small values soon meet equal ones. For each value of the table as the least entry,
 * one permutation is tried: the one that reduces the sum most (`shrink`), makes entries 0, and
 * leaves values that other entries have (`bonus`). Up to BEAM_ALL nodes all permutations are tried.
 * In such small tables bits carry little information, and values that are sums of two others
 * (beam.h) carry the most. All searches of such a table reach much the same states, so the
 * `first` steps can be drawn at random.
 */
#ifndef ROUNDCAST_BEAM_H
#define ROUNDCAST_BEAM_H

#include "sched/base/rng.h"
#include "sched/decompose/decompose.h"

#include <stddef.h>
#include <stdint.h>

#define BEAM_ALL 5
#define BEAM_MAX_NODES 64

struct beam_rule {
    unsigned width;    /* 1 or more */
    unsigned bits;     /* weight of a bit: 0 or 1 … */
    unsigned filled;   /* … of an entry that is not 0 … */
    unsigned distinct; /* … and of a different value */
    /* weight of a bit in a permutation, relative to 1000 for an entry that becomes 0 */
    unsigned shrink;
    unsigned bonus; /* weight of a value that other entries have */
    unsigned noise; /* the random number that is added is below this; 0: none */
    unsigned sums;  /* weight of a sum, up to BEAM_ALL nodes; must be 0 for larger tables */
    unsigned first; /* number of steps at the start that are drawn from all steps */
};

/* Working memory; opaque. */
struct beam;

/* Allocates memory for tables of 1 … BEAM_MAX_NODES rows and up to `width` states. `rng` draws the
 * noise and the first steps of its searches, and must outlive it. E104. */
struct beam *beam_new(uint32_t nodes, unsigned width, struct rng *rng, struct err *err);
void beam_free(struct beam *beam);

/* Searches for an exact decomposition of table[nodes][nodes] into fewer than `limit` permutations.
 * Preconditions: all rows and columns have the same sum, not 0; `decomposition` has the same number
 * of nodes. Returns true and sets `decomposition` if it finds one. Returns false with E104 if
 * memory runs out. */
bool beam_search(struct beam *beam, const uint32_t table[], size_t limit, struct beam_rule rule,
                 struct decomposition *decomposition, struct err *err);

/* -- Relations --------------------------------------------------------------------------------- */

/* Counts the equalities and sums among the values of a small table.
 *
 * If few permutations add up to a table, its entries are sums of few durations. Then some entries
 * are equal, and some are sums of two others; unrelated values seldom are. The durations 5, 3 and
 * 2, of the permutations 012, 120 and 021, give
 *
 *     7 3 .
 *     . 5 5      four different values of seven entries, and 5 = 3 + 2, 7 = 5 + 2
 *     3 2 5
 */

#define RELATIONS_MAX_ENTRIES 25

struct relations {
    unsigned values; /* number of different values except 0 */
    unsigned sums;   /* number of pairs of values, equal ones included, whose sum is a value */
};

/* Returns the relations of table[entries], 0 … RELATIONS_MAX_ENTRIES. O(entries²). */
struct relations relations_of(const uint32_t table[], size_t entries);

/* -- Decompositions into the fewest permutations ----------------------------------------------- */

/* Decomposes a table of equal sums into as few permutations as can be found in a given time.
 * Finding the fewest is NP-hard (Dufossé and Uçar 2016). */

/* Decomposes table[nodes][nodes], nodes 2 … BEAM_MAX_NODES, exactly: the durations of all settings
 * that connect a pair add up to its entry. Beam searches with random rules alternate with a local
 * search, which removes some permutations from the best decomposition and searches for as few or
 * fewer with the same sum. It ends after `seconds` of CPU time (a search that has begun is
 * completed), or when there are as few permutations as a row or column has entries. Precondition:
 * all rows and columns have the same sum, not 0; `decomposition` is zero or freed. E104. */
bool minimum_search(const uint32_t table[], uint32_t nodes, double seconds, uint64_t seed,
                    struct decomposition *decomposition, struct err *err);

#endif
