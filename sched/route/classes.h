/* SPDX-License-Identifier: Apache-2.0 */
/* classes: which of the classes of self-routing permutations a round is in, of which some of the
 * ports may be idle.
 *
 *     shift                     i → (i + s) mod N
 *     complement                i → i xor c
 *     bit-permute-complement    bit j of the output is some bit of the input, or that bit
 *                               complemented, each bit used once: the class of shuffles, bit
 *                               reversal and transposition (Nassimi and Sahni 1981)
 *     affine                    x → A x + c in bits, A a matrix that has an inverse:
 *                               linear-complement permutations (affine.h)
 *     omega                     passes an omega network (omega.h)
 *     inverse omega             passes one that is run from its end: the stages in the opposite
 *                               order
 *
 * All but shifts are of networks of a power of two. Settings by tag (expand_tags.h) are those of
 * shifts and complements, settings by masks (expand_masks.h) those of affine rounds.
 */
#ifndef ROUNDCAST_CLASSES_H
#define ROUNDCAST_CLASSES_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* Name, text. */
#define CLASSES_TABLE(X)                                \
    X(SHIFT, "shifts")                                  \
    X(COMPLEMENT, "complements")                        \
    X(BIT_PERMUTE_COMPLEMENT, "bit-permute-complement") \
    X(AFFINE, "affine")                                 \
    X(OMEGA, "omega")                                   \
    X(INVERSE_OMEGA, "inverse omega")

enum classes_class {
#define CLASSES_ENUM(name, text) CLASSES_##name,
    CLASSES_TABLE(CLASSES_ENUM)
#undef CLASSES_ENUM
        CLASSES_COUNT
};

/* A bit for each class that a round of N ports is in; to[N], a partial permutation; used[N] is
 * memory. An idle round is in all that N allows. O(N · log N). */
unsigned classes_of(uint32_t ports, const uint32_t to[], bool used[]);

/* Count a schedule's rows that are not idle, and for each class those whose circuits are in it.
 * Preconditions: as route_rows_begin; a network that does not copy. E403, E104. */
bool classes_count(const struct schedule *schedule, const struct machine *machine,
                   uint32_t count[CLASSES_COUNT], uint32_t *rows, struct err *err);

#endif
