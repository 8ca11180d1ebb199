/* SPDX-License-Identifier: Apache-2.0 */
/* permutation_classes: finds the classes of self-routing permutations that a round belongs to. Some
 * of its ports may be idle.
 *
 *     shift                     i → (i + s) mod N
 *     complement                i → i xor c
 *     bit-permute-complement    each bit of the output is a bit of the input, possibly
 *                               complemented, and each bit of the input is used once: the class
 *                               of shuffles, bit reversal and transposition (Nassimi and Sahni
 *                               1981)
 *     affine                    x → A x + c in bits, A an invertible matrix: linear-complement
 *                               permutations (affine.h)
 *     omega                     passes an omega network (omega.h)
 *     inverse omega             passes an omega network with its stages in reverse order
 *
 * All classes but shifts require N to be a power of two. Tags (expand.h) describe shifts and
 * complements; masks (expand.h) describe affine rounds. */
#ifndef ROUNDCAST_PERMUTATION_CLASSES_H
#define ROUNDCAST_PERMUTATION_CLASSES_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* Identifier and text of each class. */
#define PERMUTATION_CLASSES_TABLE(X)                    \
    X(SHIFT, "shifts")                                  \
    X(COMPLEMENT, "complements")                        \
    X(BIT_PERMUTE_COMPLEMENT, "bit-permute-complement") \
    X(AFFINE, "affine")                                 \
    X(OMEGA, "omega")                                   \
    X(INVERSE_OMEGA, "inverse omega")

enum permutation_class {
#define PERMUTATION_CLASSES_ENUM(name, text) PERMUTATION_CLASSES_##name,
    PERMUTATION_CLASSES_TABLE(PERMUTATION_CLASSES_ENUM)
#undef PERMUTATION_CLASSES_ENUM
        PERMUTATION_CLASSES_COUNT
};

/* Returns a bit for each class that a round of N ports belongs to. to[N] is a partial permutation;
 * used[N] is working memory. An idle round belongs to all classes that N allows. O(N · log N). */
unsigned permutation_classes_of(uint32_t ports, const uint32_t to[], bool used[]);

/* Counts the rows of a schedule that are not idle, and for each class the rows whose circuits
 * belong to it. Preconditions: as route_rows_begin; a network that does not copy. E403, E104. */
bool permutation_classes_count(const struct schedule *schedule, const struct machine *machine,
                               uint32_t count[PERMUTATION_CLASSES_COUNT], uint32_t *rows,
                               struct err *err);

#endif
