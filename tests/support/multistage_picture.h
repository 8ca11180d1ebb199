/* SPDX-License-Identifier: Apache-2.0 */
/* multistage_picture: multistage networks drawn box by box from the words of their definition, and
 * signals carried through the drawing. Shares no line with multistage.h but the shape's struct.
 *
 * A box is a switch or a crossbar: the lanes that come in, the lanes that go out, and for a switch
 * its number. What the definition says is said again here in other ways: blocks of lanes are cut
 * from the whole, and networks of crossbars are built from the outside in.
 */
#ifndef ROUNDCAST_MULTISTAGE_PICTURE_H
#define ROUNDCAST_MULTISTAGE_PICTURE_H

#include "sched/base/rng.h"
#include "sched/shape/multistage.h"

#include <stddef.h>

#define MULTISTAGE_PICTURE_SEED UINT64_C(20261121)

struct multistage_picture_box {
    uint32_t inputs, outputs, sw;
    uint32_t *in, *out; /* lanes; the same array for a switch */
};

struct multistage_picture_stage {
    uint32_t count, bits, in_word, fields, lanes; /* lanes behind it */
    struct multistage_picture_box *box;
};

struct multistage_picture {
    uint32_t ports, lanes, words; /* lanes: the most of any stage */
    unsigned stages;
    bool bars, fewer;
    struct multistage_picture_stage *stage;
    uint32_t *signal, *after; /* [lanes] */
};

struct multistage_picture multistage_picture_new(const struct multistage *net);
void multistage_picture_free(struct multistage_picture *picture);
size_t multistage_picture_row_words(const struct multistage_picture *picture);

/* Carry the inputs that send through all stages: signal[output] becomes the input that arrives, or
 * UINT32_MAX. Returns the settings that serve nobody. */
uint32_t multistage_picture_carry(const struct multistage_picture *picture, const uint32_t to[],
                                  const uint32_t *row);

/* After multistage_picture_carry: circuits that do not stand at their outputs. */
uint32_t multistage_picture_astray(const struct multistage_picture *picture, const uint32_t to[]);

/* Bits of a row that are 1 and belong to no box. */
uint32_t multistage_picture_stray_bits(const struct multistage_picture *picture,
                                       const uint32_t *row);

/* All that a routed row must keep: circuits arrive, no setting serves nobody, no stray bit, and
 * multistage_trace agrees. */
void multistage_picture_check(const struct multistage_picture *picture,
                              const struct multistage *net, const uint32_t to[],
                              const uint32_t *row);

/* A permutation in which each circuit stays with probability live/256. */
void multistage_picture_round(struct rng *rng, uint32_t ports, uint32_t live, uint32_t to[]);

/* The partial permutations of n ports: Σ over k of C(n,k)² k!. */
uint64_t multistage_picture_partial_count(uint32_t n);

/* Call visit(context, to) for every permutation of `ports` ports, or every partial one; returns how
 * many. */
uint64_t multistage_picture_every_round(uint32_t ports, bool partial, uint32_t input, uint32_t used,
                                        uint32_t to[], void (*visit)(void *, const uint32_t *),
                                        void *context);

#endif
