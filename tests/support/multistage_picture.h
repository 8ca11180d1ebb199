/* SPDX-License-Identifier: Apache-2.0 */
/* multistage_picture: multistage networks drawn box by box from the text of their definition, and
 * signals propagated through the drawing. It shares no code with multistage.h but the struct of the
 * shape.
 *
 * A box is a switch or a crossbar: the lanes that come in, the lanes that go out, and for a switch
 * its number. The definition is implemented here in another way: blocks of lanes are cut from the
 * whole, and networks of crossbars are built from the outside in.
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
    uint32_t count, bits, in_word, fields, lanes; /* lanes after it */
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

/* Propagates the sending inputs through all stages: signal[output] becomes the input that arrives,
 * or UINT32_MAX. Returns the number of settings that serve no circuit. */
uint32_t multistage_picture_carry(const struct multistage_picture *picture, const uint32_t to[],
                                  const uint32_t *row);

/* After multistage_picture_carry: number of circuits that do not reach their outputs. */
uint32_t multistage_picture_astray(const struct multistage_picture *picture, const uint32_t to[]);

/* Returns the number of bits of a row that are 1 and belong to no box. */
uint32_t multistage_picture_stray_bits(const struct multistage_picture *picture,
                                       const uint32_t *row);

/* Checks a routed row: all circuits arrive, every setting serves a circuit, there is no stray bit,
 * and multistage_trace agrees. */
void multistage_picture_check(const struct multistage_picture *picture,
                              const struct multistage *net, const uint32_t to[],
                              const uint32_t *row);

/* Draws a permutation in which each circuit is kept with probability live/256. */
void multistage_picture_round(struct rng *rng, uint32_t ports, uint32_t live, uint32_t to[]);

/* Returns the number of partial permutations of n ports: Σ over k of C(n,k)² k!. */
uint64_t multistage_picture_partial_count(uint32_t n);

/* Calls visit(context, to) for every permutation of `ports` ports, or every partial one. Returns
 * their number. */
uint64_t multistage_picture_every_round(uint32_t ports, bool partial, uint32_t input, uint32_t used,
                                        uint32_t to[], void (*visit)(void *, const uint32_t *),
                                        void *context);

#endif
